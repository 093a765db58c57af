import type { FastifyRequest } from 'fastify'
import { FRESH_SESSION_S } from '#contract/profile.ts'
import { newId } from '../../db/ids.ts'
import type { Db } from '../../db/pool.ts'
import { inTransaction } from '../../db/transaction.ts'
import { queueMail, queueMailWithoutAccount } from '../../email/outbox.ts'
import type { Actor } from '../../http/actor.ts'
import { refuse } from '../../refusal.ts'
import type { AuthContext } from '../context.ts'
import { recordEvent } from '../events/record-event.ts'
import { findSessionAmr, readClientInfo } from '../session-queries.ts'
import { isRecentlyAuthenticated } from '../tokens.ts'
import { lockUser } from '../user-queries.ts'
import { findEmailChange, renewEmailChange, replaceEmailChange } from './queries.ts'

type RequestContext = Pick<AuthContext, 'db' | 'keyring' | 'limits' | 'outbox'>

/**
 * Stores a change of the own address and queues an email to each mailbox (decision email-change). A change that waits is replaced.
 * Whether the new address has an account is not looked up: its email says so to its reader, when it is written.
 *
 * Needs a session begun within 15 minutes, like the export.
 *
 * @throws Refusal `sign_in_again`, `session_ended`; AuthError `over_email_send_rate_limit`
 */
export async function requestEmailChange(
  { db, keyring, limits, outbox }: RequestContext,
  actor: Actor,
  email: string,
  request: FastifyRequest,
): Promise<void> {
  const amr = await findSessionAmr(db, actor.sessionId)
  if (amr.length === 0) refuse('session_ended')
  if (!isRecentlyAuthenticated(amr, FRESH_SESSION_S)) refuse('sign_in_again')
  await limits.emailChange(actor.id)
  await limits.mail('confirm', request, email)
  await inTransaction(db, async (tx) => {
    if (!(await lockUser(tx, actor.id))) refuse('session_ended')
    const id = newId()
    await replaceEmailChange(tx, id, actor.id, email)
    await queueChangeMails(tx, id, { userId: actor.id, current: true, new: true })
    const clientInfo = readClientInfo(request)
    await recordEvent(tx, keyring, {
      userId: actor.id,
      type: 'email_change_requested',
      sessionId: actor.sessionId,
      clientInfo,
    })
  })
  outbox.wake()
}

/**
 * Sends the emails of the change that waits again, to the mailboxes that have not confirmed it. Returns false when none waits.
 *
 * @throws AuthError `over_email_send_rate_limit`
 */
export async function resendEmailChange(
  { db, limits, outbox }: RequestContext,
  actor: Actor,
  request: FastifyRequest,
): Promise<boolean> {
  const waiting = await findEmailChange(db, actor.id)
  if (!waiting) return false
  await limits.emailChange(actor.id)
  if (!waiting.new_confirmed_at) await limits.mail('confirm', request, waiting.new_email)
  const renewed = await inTransaction(db, async (tx) => {
    if (!(await lockUser(tx, actor.id))) return false
    const id = newId()
    if (!(await renewEmailChange(tx, actor.id, id))) return false
    const change = await findEmailChange(tx, actor.id)
    const { current_confirmed_at = null, new_confirmed_at = null } = change ?? {}
    await queueChangeMails(tx, id, {
      userId: actor.id,
      current: current_confirmed_at === null,
      new: new_confirmed_at === null,
    })
    return true
  })
  outbox.wake()
  return renewed
}

async function queueChangeMails(tx: Db, id: string, to: { userId: string; current: boolean; new: boolean }) {
  if (to.current) await queueMail(tx, { kind: 'email_change_current', refId: id, recipientId: to.userId })
  if (to.new) await queueMailWithoutAccount(tx, 'email_change_new', id)
}
