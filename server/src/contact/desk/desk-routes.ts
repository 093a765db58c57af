import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/contact-desk.ts'
import type { AppContext } from '../../context.ts'
import { decryptContextFor } from '../../http/decrypt-context.ts'
import { adminRoute } from '../../http/route.ts'
import { answerSubmission, closeSubmission, reopenSubmission } from './answer-submission.ts'
import { listContactItems } from './list-submissions.ts'
import { openSubmission } from './open-submission.ts'

/** Registers what admins do about submissions of the contact page (decision 0087). */
export function contactDeskRoutes(app: FastifyInstance, context: AppContext) {
  adminRoute(app, contract.listContact, ({ state = 'open', ...paging }) => listContactItems(context.db, state, paging))
  adminRoute(app, contract.openContact, (input, admin, { request }) =>
    openSubmission(context, decryptContextFor(context, request), admin, input),
  )
  adminRoute(app, contract.answerContact, (input, admin) => answerSubmission(context, admin, input))
  adminRoute(app, contract.closeContact, ({ id }, admin) => closeSubmission(context, admin, id))
  adminRoute(app, contract.reopenContact, ({ id }, admin) => reopenSubmission(context, admin, id))
}
