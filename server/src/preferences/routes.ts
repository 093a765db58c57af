import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/preferences.ts'
import type { AppContext } from '../context.ts'
import { userRoute } from '../http/route.ts'
import { changePreferences, getPreferences } from './queries.ts'
import { unsubscribeRoutes } from './unsubscribe-routes.ts'

export function preferenceRoutes(app: FastifyInstance, context: AppContext) {
  const { db } = context
  userRoute(app, contract.getPreferences, (_, { id }) => getPreferences(db, id))
  userRoute(app, contract.updatePreferences, (change, { id }) => changePreferences(db, id, change))
  unsubscribeRoutes(app, context)
}
