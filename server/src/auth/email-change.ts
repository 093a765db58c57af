import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as contract from '#contract/email-change.ts'
import { FRESH_SESSION_S } from '#contract/profile.ts'
import type { AppContext } from '../context.ts'
import { newId } from '../db/ids.ts'
import type { Db } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import { queueMail, queueMailWithoutAccount } from '../email/outbox.ts'
import { shownAddress } from '../email/shown-address.ts'
import type { Actor } from '../http/actor.ts'
import { publicRoute, userRoute } from '../http/route.ts'
import { requestLocale } from '../locale.ts'
import { refuse } from '../refusal.ts'
import {
  deleteEmailChange,
  type EmailChangeRow,
  findEmailChange,
  renewEmailChange,
  replaceEmailChange,
} from './email-change-queries.ts'
import { AuthError } from './errors.ts'
import { recordEvent } from './events.ts'
import { followEmailLink } from './follow-email-link.ts'
import { countEmailChange, countMail } from './limits.ts'
import { findSessionAmr, readClientInfo } from './session-queries.ts'
import { type AuthKeys, deriveAuthKeys, isRecentlyAuthenticated } from './tokens.ts'
import { lockUser } from './user-queries.ts'

type RequestContext = AppContext & { keys: AuthKeys }

/** Registers the change of an account's address (decision email-change). */
export function emailChangeRoutes(app: FastifyInstance, appContext: AppContext) {
  const context = { ...appContext, keys: deriveAuthKeys(appContext.jwtSecrets) }
  const { db } = context
  userRoute(app, contract.getEmailChange, (_, { id }) => toEmailChange(db, id))
  userRoute(app, contract.requestEmailChange, async ({ email }, actor, { request }) => {
    if (email !== actor.email) await requestEmailChange(context, actor, email, request).catch(refuseTooOften)
    return toEmailChange(db, actor.id)
  })
  userRoute(app, contract.resendEmailChange, async (_, actor, { request }) => {
    await resendEmailChange(context, actor, request).catch(refuseTooOften)
    return toEmailChange(db, actor.id)
  })
  userRoute(app, contract.cancelEmailChange, (_, { id }) => deleteEmailChange(db, id))
  publicRoute(app, contract.followEmailLink, async (input, { request }) => {
    const visit = { locale: requestLocale(request), clientInfo: readClientInfo(request) }
    return { state: await followEmailLink(context, input, visit) }
  })
}

async function toEmailChange(db: Db, userId: string) {
  const change = await findEmailChange(db, userId)
  if (!change) return { pending: null }
  const { new_email, current_confirmed_at, new_confirmed_at, ...rest } = change
  return {
    pending: {
      ...rest,
      new_email: shownAddress(new_email),
      current_confirmed: current_confirmed_at !== null,
      new_confirmed: new_confirmed_at !== null,
    },
  }
}

/** Says in the words of the product's own calls that emails were asked for too often. */
function refuseTooOften(error: unknown): never {
  if (error instanceof AuthError && error.status === 429) {
    refuse('too_many_requests', { retryAfterS: error.details.retryAfterS ?? 60 })
  }
  throw error
}

/**
 * Stores a change of the own address and queues an email to each mailbox (decision email-change). A change that waits is replaced.
 * Whether the new address has an account is not looked up: its email says so to its reader, when it is written.
 *
 * Needs a session begun within 15 minutes, like the export.
 *
 * @throws Refusal `sign_in_again`, `session_ended`; AuthError `over_email_send_rate_limit`
 */
async function requestEmailChange(
  context: RequestContext,
  actor: Actor,
  email: string,
  request: FastifyRequest,
): Promise<void> {
  const { db, keyring, outbox } = context
  const amr = await findSessionAmr(db, actor.sessionId)
  if (amr.length === 0) refuse('session_ended')
  if (!isRecentlyAuthenticated(amr, FRESH_SESSION_S)) refuse('sign_in_again')
  await countEmailChange(context, actor.id)
  await countMail(context, 'confirm', request.ip, email)
  await inTransaction(db, async (tx) => {
    if (!(await lockUser(tx, actor.id))) refuse('session_ended')
    const id = newId()
    await replaceEmailChange(tx, id, actor.id, email)
    await queueChangeMails(tx, { id, user_id: actor.id, current_confirmed_at: null, new_confirmed_at: null })
    const event = { userId: actor.id, sessionId: actor.sessionId, clientInfo: readClientInfo(request) }
    await recordEvent(tx, keyring, { ...event, type: 'email_change_requested' })
  })
  outbox.wake()
}

/**
 * Sends the emails of the change that waits again, to the mailboxes that have not confirmed it. Does nothing when none waits.
 *
 * @throws AuthError `over_email_send_rate_limit`
 */
async function resendEmailChange(context: RequestContext, actor: Actor, request: FastifyRequest): Promise<void> {
  const { db, outbox } = context
  const waiting = await findEmailChange(db, actor.id)
  if (!waiting) return
  await countEmailChange(context, actor.id)
  if (!waiting.new_confirmed_at) await countMail(context, 'confirm', request.ip, waiting.new_email)
  await inTransaction(db, async (tx) => {
    if (!(await lockUser(tx, actor.id))) return
    const change = await renewEmailChange(tx, actor.id, newId())
    if (change) await queueChangeMails(tx, change)
  })
  outbox.wake()
}

/** Queues the emails of a change, to the mailboxes that have not confirmed it. */
async function queueChangeMails(
  tx: Db,
  change: Pick<EmailChangeRow, 'id' | 'user_id' | 'current_confirmed_at' | 'new_confirmed_at'>,
): Promise<void> {
  const { id: refId, user_id: recipientId, current_confirmed_at, new_confirmed_at } = change
  if (!current_confirmed_at) await queueMail(tx, { kind: 'email_change_current', refId, recipientId })
  if (!new_confirmed_at) await queueMailWithoutAccount(tx, 'email_change_new', refId)
}
