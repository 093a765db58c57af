import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/inbox.ts'
import type { AppContext } from '../context.ts'
import { requireFreshFactor } from '../http/actor.ts'
import { decryptContextFor } from '../http/decrypt-context.ts'
import { adminRoute } from '../http/route.ts'
import { decideAppeal, openAppeal } from '../sanctions/decide-appeal.ts'
import { markDocuments } from '../vehicles/mark-documents.ts'
import { decideReport } from './decide-report.ts'
import { getDispute } from './get-dispute.ts'
import { countInbox, listInbox } from './list-inbox.ts'
import { openReport } from './open-report.ts'

/** Registers the inbox: everything that people must decide, and how (decisions admin-inbox, sanctions-and-appeals, plate-disputes). */
export function inboxRoutes(app: FastifyInstance, context: AppContext) {
  const { db } = context
  adminRoute(app, contract.listInbox, (input, admin) => listInbox(db, admin, input))
  adminRoute(app, contract.getInboxCounts, () => countInbox(db))
  adminRoute(app, contract.getDispute, ({ id }, admin) => getDispute(db, admin, id))
  adminRoute(app, contract.markDocuments, async ({ id, documents_received }, admin) => {
    await markDocuments(context, admin, id, documents_received)
    return getDispute(db, admin, id)
  })
  adminRoute(app, contract.openReport, (input, admin, { request }) =>
    openReport(context, decryptContextFor(context, request), admin, input),
  )
  adminRoute(app, contract.decideReport, async (input, admin) => {
    if (input.action === 'suspend') requireFreshFactor(admin)
    return decideReport(context, admin, input)
  })
  adminRoute(app, contract.openAppeal, ({ id }, admin, { request }) =>
    openAppeal(context, decryptContextFor(context, request), admin, id),
  )
  adminRoute(app, contract.decideAppeal, async ({ id, ...decision }, admin) => {
    if (!decision.uphold) requireFreshFactor(admin) // as lifting does
    return decideAppeal(context, admin, id, decision)
  })
}
