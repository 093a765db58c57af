import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/profile.ts'
import { getEventsPage } from '../auth/events/list-events.ts'
import type { AppContext } from '../context.ts'
import { userRoute } from '../http/route.ts'
import { requireFreshFactor } from '../http/second-factor.ts'
import { refuse } from '../refusal.ts'
import { deleteAccount } from './delete-account.ts'
import { exportRoute } from './export-account.ts'
import { assertFreshSession } from './fresh-session.ts'
import { getSessionsPage } from './list-sessions.ts'

/** Registers what a person can do with their own account (decision http-interface), and an admin with others. */
export function profileRoutes(app: FastifyInstance, context: AppContext) {
  userRoute(app, contract.listSessions, (paging, actor) => getSessionsPage(context.db, actor, paging))
  userRoute(app, contract.listAccountEvents, (paging, actor, { request }) =>
    getEventsPage(context, actor.id, paging, { actor, request }),
  )
  userRoute(
    app,
    contract.deleteUser,
    async ({ id, reason }, actor) => {
      if (id === actor.id) await assertFreshSession(context.db, actor)
      else {
        if (actor.suspended) refuse('suspended')
        if (!actor.isAdmin) refuse('forbidden')
        requireFreshFactor(actor)
      }
      await deleteAccount(context, { id, by: actor, reason })
      return {}
    },
    { admitSuspended: true },
  )
  exportRoute(app, context)
}
