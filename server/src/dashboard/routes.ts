import type { FastifyInstance } from 'fastify'
import { getDashboard } from '#contract/dashboard.ts'
import { userRoute } from '../http/route.ts'
import type { Parts } from '../parts.ts'
import { readerOf } from '../sealing/show-text.ts'
import { showDashboard } from './show-dashboard.ts'

export function dashboardRoutes(app: FastifyInstance, parts: Parts) {
  userRoute(app, getDashboard, (_, { id }, { request }) => showDashboard(parts, readerOf(parts, request), id))
}
