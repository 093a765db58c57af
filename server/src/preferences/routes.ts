import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/preferences.ts'
import { userRoute } from '../http/route.ts'
import type { Parts } from '../parts.ts'
import { changePreferences, preferencesOf } from './queries.ts'
import { unsubscribeRoutes } from './unsubscribe.ts'

export function preferenceRoutes(app: FastifyInstance, parts: Parts) {
  const { db } = parts
  userRoute(app, contract.getPreferences, (_, { id }) => preferencesOf(db, id))
  userRoute(app, contract.changePreferences, (change, { id }) => changePreferences(db, id, change))
  unsubscribeRoutes(app, parts)
}
