import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/reports.ts'
import type { AppContext } from '../context.ts'
import { userRoute } from '../http/route.ts'
import { reportMessage } from './report-message.ts'

/** Registers the report of a message (decision message-reports). */
export function reportRoutes(app: FastifyInstance, context: AppContext) {
  userRoute(app, contract.reportMessage, ({ id: messageId, ...report }, { id, personHash }, { request }) =>
    reportMessage(context, { id, personHash, ip: request.ip }, messageId, report),
  )
}
