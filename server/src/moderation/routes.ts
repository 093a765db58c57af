import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/cases.ts'
import type { AppContext } from '../context.ts'
import { requireFreshFactor } from '../http/actor.ts'
import { decryptContextFor } from '../http/decrypt-context.ts'
import { adminRoute } from '../http/route.ts'
import { decideCase } from './decide-case.ts'
import { listCases } from './list-cases.ts'
import { openCase } from './open-case.ts'

/** Registers the moderators' desk: reported messages and what is decided about them (decision moderation-desk). */
export function moderationRoutes(app: FastifyInstance, context: AppContext) {
  adminRoute(app, contract.listCases, ({ state = 'open', ...paging }) => listCases(context.db, state, paging))
  adminRoute(app, contract.openCase, (input, admin, { request }) =>
    openCase(context, decryptContextFor(context, request), admin, input),
  )
  adminRoute(app, contract.decideCase, async (input, admin) => {
    if (input.action === 'suspend') requireFreshFactor(admin)
    return decideCase(context, admin, input)
  })
}
