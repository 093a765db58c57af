import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/preferences.ts'
import type { AppContext } from '../context.ts'
import { userRoute } from '../http/route.ts'
import { changePreferences, getPreferences } from './queries.ts'
import { unsubscribeRoutes } from './unsubscribe-routes.ts'

export function preferenceRoutes(app: FastifyInstance, context: AppContext) {
  const { db, live, outbox } = context
  userRoute(app, contract.getPreferences, (_, { id }) => getPreferences(db, id))
  userRoute(app, contract.updatePreferences, async (change, { id }) => {
    const preferences = await changePreferences(db, id, change)
    // other quiet hours may end now: for the emails and the pushes they hold
    if (change.quiet_from !== undefined || change.time_zone !== undefined) {
      outbox.wake()
      live.publish([id])
    }
    return preferences
  })
  unsubscribeRoutes(app, context)
}
