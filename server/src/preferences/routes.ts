import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/preferences.ts'
import { userRoute } from '../http/route.ts'
import type { Parts } from '../parts.ts'
import { changePreferences, preferencesOf } from './queries.ts'

export function preferenceRoutes(app: FastifyInstance, { db }: Parts) {
  userRoute(app, contract.getPreferences, (_, { id }) => preferencesOf(db, id))
  userRoute(app, contract.changePreferences, (change, { id }) => changePreferences(db, id, change))
}
