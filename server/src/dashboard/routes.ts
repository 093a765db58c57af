import type { FastifyInstance } from 'fastify'
import { getDashboard } from '#contract/dashboard.ts'
import type { AppContext } from '../context.ts'
import { decryptContextFor } from '../encryption/decrypt-for-display.ts'
import { userRoute } from '../http/route.ts'
import { loadDashboard } from './load-dashboard.ts'

export function dashboardRoutes(app: FastifyInstance, context: AppContext) {
  userRoute(app, getDashboard, (_, { id }, { request }) =>
    loadDashboard(context, decryptContextFor(context, request), id),
  )
}
