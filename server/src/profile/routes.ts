import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/profile.ts'
import { getEventsPage } from '../auth/events.ts'
import { listSessions } from '../auth/session-queries.ts'
import { assertFreshSession } from '../auth/sessions.ts'
import type { AppContext } from '../context.ts'
import { readPageByTime } from '../db/pagination.ts'
import { requireFreshFactor } from '../http/actor.ts'
import { userRoute } from '../http/route.ts'
import { refuse } from '../refusal.ts'
import { deleteAccount } from './delete-account.ts'
import { exportRoute } from './export-account.ts'

/** Registers what a person can do with their own account (decision http-interface), and an admin with others. */
export function profileRoutes(app: FastifyInstance, context: AppContext) {
  userRoute(app, contract.listSessions, (paging, { id, sessionId }) =>
    readPageByTime(
      paging,
      (before, limit) => listSessions(context.db, id, before, limit),
      (row) => ({ ...row, current: row.id === sessionId }),
    ),
  )
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
