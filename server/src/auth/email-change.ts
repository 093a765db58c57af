import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as contract from '#contract/email-change.ts'
import type { AppContext } from '../context.ts'
import { newId } from '../db/ids.ts'
import type { Db } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import { queueMail, queueMailWithoutAccount } from '../email/outbox.ts'
import { shownAddress } from '../email/shown-address.ts'
import type { Keyring } from '../encryption/envelope-encryption.ts'
import type { Actor } from '../http/actor.ts'
import { userRoute } from '../http/route.ts'
import { hashPerson } from '../limits/canonical-address.ts'
import { enforceLimit } from '../limits/enforce-limit.ts'
import { userLimitKey } from '../limits/rate-limiter.ts'
import { refuse } from '../refusal.ts'
import type { AccountLinkRow } from './account-link-queries.ts'
import {
  confirmEmailChange,
  deleteEmailChange,
  type EmailChangeRow,
  findEmailChange,
  insertFormerAddress,
  renewEmailChange,
  replaceEmailChange,
  setEmail,
} from './email-change-queries.ts'
import { recordEvent } from './events.ts'
import { consumeMail } from './limits.ts'
import { revokeLinks } from './link-queries.ts'
import { freeAddress, isMailboxClosed, isPersonSuspended, linkMailboxToPerson } from './mailbox.ts'
import { type ClientInfo, endAllSessions, readClientInfo } from './session-queries.ts'
import { assertFreshSession } from './sessions.ts'
import { lockUser, type UserRow } from './user-queries.ts'

/** Registers the change of an account's address (decision email-change). */
export function emailChangeRoutes(app: FastifyInstance, context: AppContext) {
  const { db } = context
  userRoute(app, contract.getEmailChange, (_, { id }) => toEmailChange(db, id))
  userRoute(app, contract.requestEmailChange, async ({ email }, actor, { request }) => {
    if (email !== actor.email) await requestEmailChange(context, actor, email, request)
    return toEmailChange(db, actor.id)
  })
  userRoute(app, contract.resendEmailChange, async (_, actor, { request }) => {
    await resendEmailChange(context, actor, request)
    return toEmailChange(db, actor.id)
  })
  userRoute(app, contract.cancelEmailChange, (_, { id }) => deleteEmailChange(db, id))
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

/** Counts an email to an address that is asked for. */
async function enforceMailLimit(context: AppContext, request: FastifyRequest, email: string): Promise<void> {
  const { allowed, retryAfterS } = await consumeMail(context, 'confirm', request.ip, email)
  if (!allowed) refuse('too_many_requests', { retryAfterS })
}

/** Counts a change before it is stored, or its emails before they are sent again. */
const enforceChangeLimit = ({ db, config, keyring }: AppContext, userId: string) =>
  enforceLimit(db, config, 'emailChangesPerDay', userLimitKey(keyring, 'email-change', userId))

/**
 * Stores a change of the own address and queues an email to each mailbox (decision email-change). A change that waits is replaced.
 * Whether the new address has an account is not looked up: its email says so to its reader, when it is written.
 *
 * Needs a session begun within 15 minutes, like the export.
 *
 * @throws Refusal `sign_in_again`, `session_ended`, `too_many_requests`
 */
async function requestEmailChange(
  context: AppContext,
  actor: Actor,
  email: string,
  request: FastifyRequest,
): Promise<void> {
  const { db, keyring, outbox } = context
  await assertFreshSession(db, actor)
  await enforceChangeLimit(context, actor.id)
  await enforceMailLimit(context, request, email)
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
 * @throws Refusal `too_many_requests`
 */
async function resendEmailChange(context: AppContext, actor: Actor, request: FastifyRequest): Promise<void> {
  const { db, outbox } = context
  const waiting = await findEmailChange(db, actor.id)
  if (!waiting) return
  await enforceChangeLimit(context, actor.id)
  if (!waiting.new_confirmed_at) await enforceMailLimit(context, request, waiting.new_email)
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

// --- confirming it

/** What came of a link about a change; `email_unavailable`: the change came to nothing and is gone. */
export type ConfirmOutcome = { state: 'waiting' | 'changed' } | { refused: 'email_link_invalid' | 'email_unavailable' }

/** Records that a mailbox confirmed the change of an account that the caller has locked, and makes it when both have. */
export async function confirmChange(
  keyring: Keyring,
  tx: Db,
  user: UserRow,
  { purpose, change_id }: AccountLinkRow & { purpose: 'confirm_current' | 'confirm_new' },
  clientInfo: ClientInfo,
): Promise<ConfirmOutcome> {
  const change = await confirmEmailChange(tx, change_id, purpose === 'confirm_current' ? 'current' : 'new')
  if (!change.current_confirmed_at || !change.new_confirmed_at) return { state: 'waiting' }
  return makeChange(keyring, tx, user, change, clientInfo)
}

/**
 * Gives the account its new address: all its sessions and links end, and the former mailbox is notified, with a link that
 * undoes it. What is known of the person stays with the account, and applies to the new mailbox too from now on.
 */
async function makeChange(
  keyring: Keyring,
  tx: Db,
  user: UserRow,
  change: EmailChangeRow,
  clientInfo: ClientInfo,
): Promise<ConfirmOutcome> {
  const person = user.person_hash
  const mailbox = hashPerson(keyring, change.new_email)
  const isKeptOut = await isPersonSuspended(tx, person)
  if (isKeptOut || !(await freeAddress(tx, change.new_email, user.id)) || (await isMailboxClosed(tx, mailbox))) {
    await deleteEmailChange(tx, user.id)
    return { refused: isKeptOut ? 'email_link_invalid' : 'email_unavailable' }
  }
  const isLinked = await linkMailboxToPerson(tx, mailbox, person)
  const formerId = newId()
  await insertFormerAddress(tx, {
    id: formerId,
    user_id: user.id,
    email: user.email,
    mailbox_hash: isLinked ? mailbox : null,
  })
  await deleteEmailChange(tx, user.id)
  await setEmail(tx, user.id, change.new_email)
  await endAllSessions(tx, user.id)
  await revokeLinks(tx, user.id)
  await queueMailWithoutAccount(tx, 'email_changed', formerId)
  await recordEvent(tx, keyring, { userId: user.id, type: 'email_changed', clientInfo })
  return { state: 'changed' }
}
