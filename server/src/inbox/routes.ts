import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/cases.ts'
import * as inbox from '#contract/inbox.ts'
import type { AppContext } from '../context.ts'
import { requireFreshFactor } from '../http/actor.ts'
import { decryptContextFor } from '../http/decrypt-context.ts'
import { adminRoute } from '../http/route.ts'
import { decideCase } from './decide-case.ts'
import { listCases } from './list-cases.ts'
import { countInbox, listInbox } from './list-inbox.ts'
import { openCase } from './open-case.ts'

/** Registers the inbox: everything that people must decide, and the reported messages in it (decision moderation-desk). */
export function inboxRoutes(app: FastifyInstance, context: AppContext) {
  adminRoute(app, inbox.listInbox, (input, admin) => listInbox(context.db, admin, input))
  adminRoute(app, inbox.getInboxCounts, () => countInbox(context.db))
  adminRoute(app, contract.listCases, ({ state = 'open', ...paging }) => listCases(context.db, state, paging))
  adminRoute(app, contract.openCase, (input, admin, { request }) =>
    openCase(context, decryptContextFor(context, request), admin, input),
  )
  adminRoute(app, contract.decideCase, async (input, admin) => {
    if (input.action === 'suspend') requireFreshFactor(admin)
    return decideCase(context, admin, input)
  })
}
