import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/health.ts'
import type { AppContext } from '../context.ts'
import { adminRoute } from '../http/route.ts'
import { refuse } from '../refusal.ts'
import { getHealth } from './get-health.ts'
import { listFailedMails, retryFailedMail, retryFailedMails, retryWaitingMails } from './retry-mails.ts'

/** Registers the health of the installation, and what admins do about its emails (decision process-health). */
export function adminHealthRoutes(app: FastifyInstance, context: AppContext) {
  const { db, config } = context
  adminRoute(app, contract.getHealth, () => getHealth(db, config))
  adminRoute(app, contract.listFailedMails, (paging) => listFailedMails(db, config, paging))
  adminRoute(app, contract.retryFailedMail, async ({ id }, admin) => {
    if (!(await retryFailedMail(context, admin, id))) refuse('not_found')
  })
  adminRoute(app, contract.retryFailedMails, async (_, admin) => ({ count: await retryFailedMails(context, admin) }))
  adminRoute(app, contract.retryWaitingMails, async (_, admin) => ({ count: await retryWaitingMails(context, admin) }))
}
