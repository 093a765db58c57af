import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/incidents.ts'
import type { AppContext } from '../context.ts'
import { decryptContextFor } from '../http/decrypt-context.ts'
import { adminRoute } from '../http/route.ts'
import { listIncidents } from './list-incidents.ts'
import { recordIncident } from './record-incident.ts'

/** Registers the register of incidents (decision 0094). */
export function privacyRoutes(app: FastifyInstance, context: AppContext) {
  adminRoute(app, contract.listIncidents, (paging, _, { request }) =>
    listIncidents(context.db, decryptContextFor(context, request), paging),
  )
  adminRoute(app, contract.recordIncident, (input, admin) => recordIncident(context, admin, input))
}
