import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as contract from '#contract/email-change.ts'
import type { Locale } from '#contract/product.ts'
import type { AppContext } from '../context.ts'
import { newId } from '../db/ids.ts'
import { type Db, sqlState } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import { queueMail, queueMailWithoutAccount } from '../email/outbox.ts'
import { shownAddress } from '../email/shown-address.ts'
import type { Actor } from '../http/actor.ts'
import { publicRoute, userRoute } from '../http/route.ts'
import { hashPerson } from '../limits/canonical-address.ts'
import { enforceLimit } from '../limits/enforce-limit.ts'
import { userLimitKey } from '../limits/rate-limiter.ts'
import { requestLocale } from '../locale.ts'
import { Refusal, refuse } from '../refusal.ts'
import { deleteOwnerInvitations } from '../vehicle-people/invitation-queries.ts'
import { cancelPending } from './change-user.ts'
import {
  confirmEmailChange,
  deleteEmailChange,
  deleteFactorsSince,
  EMAIL_LINK_ACTIONS,
  type EmailChangeRow,
  findEmailChange,
  findEmailLink,
  findFormerAddress,
  insertFormerAddress,
  renewEmailChange,
  replaceEmailChange,
  setEmail,
  spendEmailLink,
  takeFormerAddresses,
} from './email-change-queries.ts'
import { recordEvent } from './events.ts'
import { consumeMail } from './limits.ts'
import { getDefaultRedirect, queueLinkMail } from './link-mail.ts'
import { revokeLinks } from './link-queries.ts'
import { isMailboxClosed, isPersonSuspended, linkMailboxToPerson, unlinkMailbox } from './mailbox.ts'
import { type ClientInfo, endAllSessions, readClientInfo } from './session-queries.ts'
import { assertFreshSession } from './sessions.ts'
import { hashSecret } from './tokens.ts'
import { deleteUser, lockUser, lockUserByEmail, setPersonHash, type UserRow, updateUser } from './user-queries.ts'

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

// --- the links in the emails

type LinkContext = Pick<AppContext, 'config' | 'db' | 'keyring' | 'outbox'>
type Visit = { locale: Locale; clientInfo: ClientInfo }
type Refused = { refused: 'email_link_invalid' | 'email_unavailable' }
type Outcome = { state: contract.EmailLinkState } | Refused

const UNIQUE_VIOLATION = '23505'

/**
 * Carries out what a link about a change of address is for, and spends it. Nobody has to be signed in: having the link proves
 * that one reads the mailbox. Only a page's button calls this, so that a mail scanner that opens links does nothing. Returns
 * after the commit.
 *
 * Refuses with `email_link_invalid` and `email_unavailable`; the latter keeps a link that undoes a change.
 */
async function followEmailLink(
  context: LinkContext,
  { action, token }: { action: contract.EmailLinkAction; token: string },
  visit: Visit,
): Promise<contract.EmailLinkState> {
  const hash = hashSecret(token)
  const outcome = await inTransaction(context.db, async (tx): Promise<Outcome> => {
    const found = await findEmailLink(tx, hash)
    if (!found || EMAIL_LINK_ACTIONS[found.purpose] !== action) return { refused: 'email_link_invalid' }
    const user = await lockUser(tx, found.user_id)
    if (!user) return { refused: 'email_link_invalid' }
    if (found.purpose === 'undo') return undoChange(context, tx, user, hash, visit)
    // only now, under the lock: of two who use one link at the same moment the second finds none
    const link = await spendEmailLink(tx, hash)
    if (!link) return { refused: 'email_link_invalid' }
    if (link.purpose === 'stop') return stopChange(context, tx, user, visit)
    const side = link.purpose === 'confirm_current' ? 'current' : 'new'
    const change = await confirmEmailChange(tx, link.ref_id, side)
    if (!change.current_confirmed_at || !change.new_confirmed_at) return { state: 'waiting' }
    return makeChange(context, tx, user, change, visit)
  }).catch((error: unknown): Outcome => {
    // an account got the address at this moment
    if (sqlState(error) === UNIQUE_VIOLATION) return { refused: 'email_unavailable' }
    throw error
  })
  context.outbox.wake()
  // thrown after the commit: a change that came to nothing is gone
  if ('refused' in outcome) throw new Refusal(outcome.refused)
  return outcome.state
}

/**
 * Gives the account its new address: all its sessions and links end, and the former mailbox is notified, with a link that
 * undoes it. What is known of the person stays with the account, and applies to the new mailbox too from now on.
 */
async function makeChange(
  { keyring }: LinkContext,
  tx: Db,
  user: UserRow,
  change: EmailChangeRow,
  { clientInfo }: Visit,
): Promise<Outcome> {
  const person = user.person_hash ?? hashPerson(keyring, user.email)
  const mailbox = hashPerson(keyring, change.new_email)
  const isKeptOut = await isPersonSuspended(tx, person)
  if (isKeptOut || !(await freeAddress(tx, change.new_email, user.id)) || (await isMailboxClosed(tx, mailbox))) {
    await deleteEmailChange(tx, user.id)
    return { refused: isKeptOut ? 'email_link_invalid' : 'email_unavailable' }
  }
  await setPersonHash(tx, user.id, person)
  const isLinked = await linkMailboxToPerson(tx, mailbox, person)
  const formerId = newId()
  await insertFormerAddress(tx, {
    id: formerId,
    change_id: change.id,
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

/**
 * Returns whether no other confirmed account has an address. One that nobody confirmed makes way: the owner of the mailbox
 * has just confirmed the other.
 */
async function freeAddress(tx: Db, email: string, userId: string): Promise<boolean> {
  const holder = await lockUserByEmail(tx, email)
  if (!holder || holder.id === userId) return true
  if (holder.email_confirmed_at !== null) return false
  await deleteUser(tx, holder.id)
  return true
}

/**
 * Cancels a change that the owner of the mailbox did not ask for: somebody else was signed in, and nobody is any more. Nor
 * does an invitation work that they may have made.
 */
async function stopChange({ config, keyring }: LinkContext, tx: Db, user: UserRow, visit: Visit): Promise<Outcome> {
  await deleteEmailChange(tx, user.id)
  await endAllSessions(tx, user.id)
  await deleteOwnerInvitations(tx, user.id)
  await recordEvent(tx, keyring, { userId: user.id, type: 'email_change_stopped', clientInfo: visit.clientInfo })
  await queueLinkMail(tx, user.id, 'recovery', null, getDefaultRedirect('recovery', visit.locale, config))
  return { state: 'stopped' }
}

/**
 * Restores the address an account had before a change, whatever happened to it since: nobody is signed in any more, the
 * password, what was added to the second step since the change was asked for and open invitations to its vehicles are gone, and
 * the restored mailbox gets a link to choose a new password. Works for a suspended person too, who stays suspended.
 */
async function undoChange(
  { config, keyring }: LinkContext,
  tx: Db,
  user: UserRow,
  hash: Buffer,
  { locale, clientInfo }: Visit,
): Promise<Outcome> {
  const link = await findEmailLink(tx, hash) // again, under the lock
  const former = link && (await findFormerAddress(tx, link.ref_id))
  if (!former) return { refused: 'email_link_invalid' }
  if (!(await freeAddress(tx, former.email, user.id))) return { refused: 'email_unavailable' }
  await deleteFactorsSince(tx, former.id)
  const person = { userId: user.id, personHash: user.person_hash ?? hashPerson(keyring, former.email) }
  for (const { mailbox_hash } of await takeFormerAddresses(tx, former.id)) {
    if (mailbox_hash) await unlinkMailbox(tx, mailbox_hash, person, (address) => hashPerson(keyring, address))
  }
  await endAllSessions(tx, user.id)
  await cancelPending(tx, user.id)
  await setEmail(tx, user.id, former.email)
  await updateUser(tx, user.id, null, user.user_metadata)
  await recordEvent(tx, keyring, { userId: user.id, type: 'email_change_undone', clientInfo })
  await queueLinkMail(tx, user.id, 'recovery', null, getDefaultRedirect('recovery', locale, config))
  return { state: 'undone' }
}
