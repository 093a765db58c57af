import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/profile.ts'
import type { AppContext } from '../context.ts'
import { userRoute } from '../http/route.ts'
import { refuse } from '../refusal.ts'
import { deleteAccount } from './delete-account.ts'
import { exportRoute } from './export-account.ts'
import { getSessionsPage } from './list-sessions.ts'

/** Registers what a person can do with their own account (decision 0031), and an admin with others. */
export function profileRoutes(app: FastifyInstance, context: AppContext) {
  userRoute(app, contract.listSessions, (paging, actor) => getSessionsPage(context.db, actor, paging))
  userRoute(app, contract.deleteUser, async ({ id, reason }, actor) => {
    if (id !== actor.id && !actor.isAdmin) refuse('forbidden')
    await deleteAccount(context, { id, by: actor, reason })
    return {}
  })
  exportRoute(app, context)
}
