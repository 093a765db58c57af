import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/accounts.ts'
import { userRoute } from '../http/route.ts'
import type { Parts } from '../parts.ts'
import { refuse } from '../refusal.ts'
import { deleteAccount } from './delete-account.ts'
import { exportRoute } from './export-account.ts'
import { pageOfSessions } from './list-sessions.ts'

/** What a person can do with the own account (design §3), and an admin with others. */
export function accountRoutes(app: FastifyInstance, parts: Parts) {
  userRoute(app, contract.listSessions, (paging, actor) => pageOfSessions(parts.db, actor, paging))
  userRoute(app, contract.deleteUser, async ({ id, reason }, actor) => {
    if (id !== actor.id && !actor.isAdmin) refuse('forbidden')
    await deleteAccount(parts, { id, by: actor, reason })
    return {}
  })
  exportRoute(app, parts)
}
