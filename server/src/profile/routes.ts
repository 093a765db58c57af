import type { FastifyInstance } from 'fastify'
import type { PageParams } from '#contract/endpoint.ts'
import * as contract from '#contract/profile.ts'
import { getEventsPage } from '../auth/events.ts'
import { listSessions } from '../auth/session-queries.ts'
import { assertFreshSession } from '../auth/sessions.ts'
import type { AppContext } from '../context.ts'
import { pageLimit, parseTimeCursor, timePosition, toPage } from '../db/pagination.ts'
import type { Db } from '../db/pool.ts'
import { type Actor, requireFreshFactor } from '../http/actor.ts'
import { userRoute } from '../http/route.ts'
import { refuse } from '../refusal.ts'
import { deleteAccount } from './delete-account.ts'
import { exportRoute } from './export-account.ts'

/** Returns a page of the sessions a person is signed in with, the last active first. */
async function getSessionsPage(db: Db, { id, sessionId }: Actor, paging: PageParams) {
  const limit = pageLimit(paging)
  const rows = await listSessions(db, id, parseTimeCursor(paging), limit + 1)
  return toPage(rows, limit, timePosition, (row) => ({ ...row, current: row.id === sessionId }))
}

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
