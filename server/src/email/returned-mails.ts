import type { Health, ReturnReason } from '#contract/health.ts'
import type { Db, Pool } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import { asNew, UNREACHABLE } from './failed-mails.ts'
import { forReturn, type InboundToken } from './inbound-address.ts'
import type { MailKind } from './outbox.ts'

/** Mail servers try for five days at most, and send the mail back then. For so long emails pause after one came back. */
export const RETURNED_WITHIN_DAYS = 7
/** So many for a full mailbox within those days count as a permanent failure. */
const FULL_MAX = 3

/**
 * The emails that leave for an address that counts as unreachable: those that sign in, or confirm or change the address, and those by
 * which somebody learns of a loss that has a time limit: what was done in their account (decision mailbox-keeps-the-account), and that
 * somebody claims their plate. Whoever makes us believe that an address is dead must not keep its owner from these.
 */
const ALWAYS_SENT: readonly MailKind[] = [
  'auth_link',
  'email_change_current',
  'password_changed',
  'factor_changed',
  'new_sign_in',
  'session_stolen',
  'sign_in_failures',
  'driver_joined',
  'dispute_incumbent',
  'dispute_verified_owner',
  'dispute_live_owner',
]
export const isPausedKind = (kind: MailKind): boolean => !ALWAYS_SENT.includes(kind)

/** Marks an email as one that came back, with the messages that shared it; its row is locked in the order of the worker's. */
const markReturned = async (tx: Db, id: string, reason: ReturnReason): Promise<void> => {
  await tx`
    update outbox set return_reason = ${reason} where id in (
      select o.id from outbox named
      join outbox o on o.recipient_id = named.recipient_id and o.kind = named.kind and o.sent_at = named.sent_at
      where named.id = ${id}
      order by o.id
      for update of o
    )`
}

/**
 * Records that an email came back, once, and whether its address counts as unreachable from now on (decision returned-emails). Returns
 * false, and changes nothing, when the token is none of a return address, or the email is unknown, too old, came back before, or left
 * for an address that is no longer its account's.
 */
export const recordReturn = (db: Pool, { id, isFor }: InboundToken, reason: ReturnReason): Promise<boolean> =>
  inTransaction(db, async (tx) => {
    const [account] = await tx<{ id: string; email: string }[]>`
      select u.id, u.email from outbox o join auth.users u on u.id = o.recipient_id
      where o.id = ${id} and o.return_reason is null and o.sent_at > now() - make_interval(days => ${RETURNED_WITHIN_DAYS})
      for no key update of u`
    if (!account || !isFor(forReturn(account.email))) return false
    await markReturned(tx, id, reason)
    await tx`
      insert into unreachable_addresses (user_id, reason)
      select ${account.id}, ${reason} where ${reason !== 'full'} or ${FULL_MAX} <= (
        select count(distinct sent_at) from outbox
        where recipient_id = ${account.id} and return_reason = 'full'
          and sent_at > now() - make_interval(days => ${RETURNED_WITHIN_DAYS}))
      on conflict (user_id) do update set since = excluded.since`
    return true
  })

/**
 * Ends that an account's address counts as unreachable: an email has arrived, or the address is another one. What was not sent
 * meanwhile leaves now, but for what is about messages: their senders were told that it failed, and they are in the app.
 */
export const markReachable = async (tx: Db, userId: string): Promise<void> => {
  await tx`
    with ended as (
      delete from unreachable_addresses where user_id = ${userId} returning user_id
    )
    update outbox o set ${asNew(tx)}
    from ended where o.recipient_id = ended.user_id and o.last_error = ${UNREACHABLE} and o.failed_at is not null
      and o.kind not in ('message', 'nudge')`
}

/**
 * Ends it for every address at which an email has arrived, as far as anybody can tell: it left after the last one that came back, and
 * has not come back in the time in which one does.
 */
export async function markArrivedReachable(db: Db): Promise<void> {
  const arrived = await db<{ user_id: string }[]>`
    select user_id from unreachable_addresses u where exists (
      select from outbox
      where recipient_id = u.user_id and return_reason is null
        and sent_at > u.since and sent_at < now() - make_interval(days => ${RETURNED_WITHIN_DAYS}))`
  for (const { user_id } of arrived) await markReachable(db, user_id)
}

/** Counts the addresses that count as unreachable, by the reason, the commonest first. */
export const countUnreachable = (db: Db) =>
  db<Health['mails']['unreachable']>`
    select reason, count(*)::int as count from unreachable_addresses group by reason order by 2 desc, 1`
