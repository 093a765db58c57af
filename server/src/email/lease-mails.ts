import { URGENT_REASONS } from '#contract/messages.ts'
import type { Locale } from '#contract/product.ts'
import { newId } from '../db/ids.ts'
import type { Db } from '../db/pool.ts'
import { LEASE_DURATION_S, type LeaseBatch } from '../jobs/lease-worker.ts'
import { type QuietHours, quietUntil } from '../quiet-hours.ts'
import type { LeasedMail, LeasedMailWithoutAccount } from './mail-content.ts'
import { KINDS_WITHOUT_ACCOUNT, type MailKind, type MailKindWithoutAccount } from './outbox.ts'
import { isPausedKind, RETURNED_WITHIN_DAYS } from './returned-mails.ts'

/** An email that quiet hours postpone, and for how long. */
type PostponedMail = { id: string; recipientId: string; delayMs: number }

/**
 * Postpones leased emails until quiet hours end, as if nobody had tried them, and gives up the recipient locks of owners of
 * whom nothing else was leased (decision quiet-hours). What is urgent keeps the lock, and is sent meanwhile.
 */
const postponeMails = async (db: Db, token: string, mails: PostponedMail[]): Promise<void> => {
  await db`
    with leased as (
      select o.id, h.delay_ms
      from unnest(${mails.map(({ id }) => id)}::uuid[], ${mails.map(({ delayMs }) => delayMs)}::float8[])
        as h (id, delay_ms)
      join outbox o on o.id = h.id and o.lease_token = ${token} and o.sent_at is null and o.failed_at is null
      order by o.id
      for update of o
    ), postponed as (
      update outbox o
      set run_at = now() + l.delay_ms * interval '1 millisecond', held = true, attempts = 0, due_since = null,
        lease_token = null
      from leased l where o.id = l.id
    )
    update digests d set next_at = now(), tries = 0, lease_token = null
    where d.recipient_id = any(${mails.map(({ recipientId }) => recipientId)}::uuid[]) and d.lease_token = ${token}
      and not exists (
        select from outbox o
        where o.recipient_id = d.recipient_id and o.kind = 'message' and o.lease_token = ${token}
          and o.sent_at is null and o.failed_at is null and o.id <> all(${mails.map(({ id }) => id)}::uuid[]))`
}

/** Limits the messages of one email; the others wait for the next one. */
const MAX_MESSAGES_PER_DIGEST = 1_000
/** A new message moves its owner's next retry this near; otherwise a failing email is tried every half hour. */
const MAX_RETRY_WAIT_S = 60

/** Reason of an email whose text the server rejected: it is sent once more without what another person wrote. */
export const TEXT_REJECTED = 'text_refused'

/** `fresh` are emails nobody tried yet, `retries` those to try again, including those of a worker that died. */
type Queue = 'fresh' | 'retries'

/** An email leased to this worker. One about messages comes with the recipient lock: nobody else emails the owner. */
export type Lease = {
  mail: LeasedMail | LeasedMailWithoutAccount
  /** The outbox rows of the email, oldest first. */
  ids: string[]
  /** Fencing token: only the worker that has it may record how the email ended. */
  token: string
  /** The number of tries, including this one. */
  attempts: number
  /** It is not to be sent: emails to its address come back, and it is none that leaves nevertheless (decision returned-emails). */
  isPaused: boolean
}

type OutboxRow = { id: string; ref_id: string; attempts: number; last_error: string | null }
type RowWithoutAccount = OutboxRow & { kind: MailKindWithoutAccount }
type UserRow = OutboxRow & {
  kind: MailKind
  recipient_id: string
  data: Record<string, string>
  email: string
  locale: Locale
  email_messages: boolean
  email_message_text: boolean
  email_answers: boolean
  /** Whether it is about something that quiet hours do not hold back. */
  urgent: boolean
  /** Whether an email to the address has come back in the last days. */
  unreachable: boolean
} & QuietHours
type ClaimedRow = RowWithoutAccount | UserRow

/** The emails that wait for the end of quiet hours: those that other people cause at any hour (decision quiet-hours). */
const QUIET_KINDS: readonly MailKind[] = ['message', 'nudge', 'reply']

const hasNoAccount = (row: ClaimedRow): row is RowWithoutAccount =>
  (KINDS_WITHOUT_ACCOUNT as readonly string[]).includes(row.kind)

/**
 * Leases emails that are due, starting with the longest waiting; reads up to `limit` rows. Several workers on one
 * database never get the same email, and never two emails about messages to one owner.
 *
 * A due message of an owner acquires the recipient lock (a row of `digests`), and with it everything that waits for the
 * owner, for one email. If the lock is not available, because of the pause after an email or because another worker has
 * it, the owner's due messages are put off until it is, so that they are read once and not every second. An owner whose
 * email failed belongs to the retries, and so does everything that arrives for them meanwhile.
 *
 * What cannot wait (`URGENT_REASONS`) ends the pause, and leaves the rest of what waits for an email of its own.
 *
 * The statement never waits for rows of another worker, or of an account that is being deleted.
 *
 * What its recipient's quiet hours hold back is put off until they end and is not leased. All that waits for an owner is
 * then due at one moment, and shares one email.
 */
export async function leaseMails(db: Db, queue: Queue, limit: number, now = new Date()): Promise<LeaseBatch<Lease>> {
  const token = newId()
  const fresh = queue === 'fresh'
  // a recipient lock that nobody holds; one whose email failed is left to the retries
  const isFree = db`
    (d.next_at <= now() or d.lease_token is null and d.recipient_id in (select recipient_id from urgent))
    and (d.tries = 0 or ${!fresh})`
  const urgentReasons = db`${URGENT_REASONS as string[]}::text[]`
  // the condition on attempts is not a parameter, so that the planner sees which index serves it
  const rows = await db<({ due: number; locks: number; acquired: number } & (ClaimedRow | { id: null }))[]>`
    with mails as materialized (
      select id, kind, recipient_id, run_at from outbox
      where kind <> 'message' and sent_at is null and failed_at is null and run_at <= now()
        and ${fresh ? db`attempts = 0` : db`attempts > 0`}
      order by run_at
      limit ${limit}
      for update skip locked
    ), message_mails as materialized (
      -- not locked yet: the worker that gets the recipient lock must find everything that waits
      select id, kind, recipient_id, run_at from outbox
      where kind = 'message' and sent_at is null and failed_at is null and run_at <= now()
        and ${fresh ? db`attempts = 0` : db`attempts > 0`}
      order by run_at
      limit ${limit}
    ), due as materialized (
      select * from mails union all select * from message_mails order by run_at limit ${limit}
    ), urgent as materialized (
      select d.id, d.recipient_id from due d join outbox o on o.id = d.id join messages m on m.id = o.ref_id
      where d.kind = 'message' and m.reason = any(${urgentReasons})
    ), owners as materialized (
      select id from auth.users
      where id in (select recipient_id from due where kind = 'message')
      order by id
      for key share skip locked
    ), locks as (
      insert into digests as d (recipient_id, next_at, tries, lease_token)
      select id, now() + ${LEASE_DURATION_S} * interval '1 second', 1, ${token}::uuid from owners order by id
      on conflict (recipient_id) do update set
        next_at = case
          when ${isFree} then excluded.next_at
          when d.tries > 0 and d.lease_token is null and ${fresh}
            then least(d.next_at, now() + ${MAX_RETRY_WAIT_S} * interval '1 second')
          else d.next_at
        end,
        tries = case when ${isFree} then d.tries + 1 else d.tries end,
        lease_token = case when ${isFree} then excluded.lease_token else d.lease_token end
      returning recipient_id, next_at, tries, lease_token is not null and next_at > now() as leased,
        lease_token is not distinct from ${token}::uuid as acquired
    ), grouped as materialized (
      select waiting.id, l.tries
      from locks l
      cross join lateral (
        select o.id from outbox o
        where o.recipient_id = l.recipient_id and o.kind = 'message' and o.sent_at is null and o.failed_at is null
          and (l.recipient_id not in (select recipient_id from urgent) or o.id in (select id from urgent))
        order by o.id
        limit ${MAX_MESSAGES_PER_DIGEST}
        for update skip locked
      ) waiting
      where l.acquired
    ), postponed as (
      update outbox o set run_at = put_off.next_at, attempts = put_off.attempts,
        due_since = case when put_off.attempts > 0 then coalesce(o.due_since, o.run_at) end
      from (
        -- counts as tried as often as the email it will share
        select waiting.id, l.next_at, case when l.leased then waiting.attempts else l.tries end as attempts
        from locks l
        cross join lateral (
          select o.id, o.attempts from outbox o
          where o.recipient_id = l.recipient_id and o.kind = 'message' and o.sent_at is null and o.failed_at is null
            and o.run_at <= now()
          order by o.id
          limit ${MAX_MESSAGES_PER_DIGEST}
          for update skip locked
        ) waiting
        where not l.acquired
      ) put_off
      where o.id = put_off.id
    ), claimed as (
      update outbox o
      set attempts = coalesce(taken.tries, o.attempts + 1), run_at = now() + ${LEASE_DURATION_S} * interval '1 second',
        due_since = coalesce(o.due_since, least(o.run_at, now())), lease_token = ${token}
      from (
        select id, null::integer as tries from due where kind <> 'message'
        union all select id, tries from grouped
      ) taken
      where o.id = taken.id
      returning o.id, o.kind, o.ref_id, o.recipient_id, o.data, o.attempts, o.last_error
    )
    select (select count(*)::int from due) as due, (select count(*)::int from locks) as locks,
      (select count(*)::int from locks where acquired) as acquired, c.*, u.email,
      coalesce(p.locale, 'en') as locale, coalesce(p.email_messages, true) as email_messages,
      coalesce(p.email_message_text, true) as email_message_text,
      coalesce(p.email_answers, true) as email_answers, to_char(p.quiet_from, 'HH24:MI') as quiet_from,
      to_char(p.quiet_until, 'HH24:MI') as quiet_until, coalesce(p.time_zone, '') as time_zone,
      coalesce(m.reason = any(${urgentReasons}), false) as urgent,
      coalesce(r.since > now() - make_interval(days => ${RETURNED_WITHIN_DAYS}), false) as unreachable
    from (select) as once
    left join claimed c on true
    left join auth.users u on u.id = c.recipient_id
    left join preferences p on p.user_id = c.recipient_id
    left join unreachable_addresses r on r.user_id = c.recipient_id
    left join messages m on m.id = c.ref_id and c.kind in ('message', 'nudge', 'reply')
    order by c.id`
  const { due = 0, locks = 0, acquired = 0 } = rows[0] ?? {}
  const claimed = rows.filter((row) => row.id !== null)
  const owners = new Set(claimed.flatMap((row) => (row.kind === 'message' ? row.recipient_id : [])))
  if (owners.size < acquired) await releaseLocksWithoutMails(db, token)
  // rows that are locked elsewhere, so that nothing was done about them, would be found again at once
  const mayHaveMore = due === limit && claimed.length + locks > 0
  const postponed = claimed.flatMap((row) => toPostponedMail(row, now) ?? [])
  if (postponed.length > 0) await postponeMails(db, token, postponed)
  const postponedIds = new Set(postponed.map(({ id }) => id))
  const rest = claimed.filter(({ id }) => !postponedIds.has(id))
  return { leases: groupIntoLeases(rest, token), mayHaveMore }
}

/** Releases the recipient locks whose emails were all being changed by somebody else, who would be left with a lease of nothing. */
const releaseLocksWithoutMails = (db: Db, token: string) => db`
  update digests d set next_at = now(), tries = d.tries - 1, lease_token = null
  where d.lease_token = ${token}
    and not exists (select from outbox o where o.recipient_id = d.recipient_id and o.lease_token = d.lease_token)`

/** Returns for how long quiet hours postpone an email, or null when they do not. */
function toPostponedMail(row: ClaimedRow, now: Date): PostponedMail | null {
  if (hasNoAccount(row) || row.urgent || !QUIET_KINDS.includes(row.kind)) return null
  const until = quietUntil(row, now)
  return until && { id: row.id, recipientId: row.recipient_id, delayMs: until.getTime() - now.getTime() }
}

/** Makes one lease of each email: messages to one owner share an email, everything else is an email of its own. */
const groupIntoLeases = (rows: ClaimedRow[], token: string): Lease[] =>
  [...Map.groupBy(rows, (row) => (row.kind === 'message' ? row.recipient_id : row.id)).values()].map((group) => {
    // The newest row names the mail: one that arrives twice is recognized as the same, a fuller retry as another.
    const newest = group.at(-1)!
    const lease = { ids: group.map(({ id }) => id), token, attempts: group[0]!.attempts, isPaused: false }
    const { id, ref_id: refId } = newest
    if (hasNoAccount(newest)) return { ...lease, mail: { id, kind: newest.kind, refId } }
    const { kind, recipient_id: recipientId, email: to, locale, email_messages, email_answers, data } = newest
    const isPaused = newest.unreachable && isPausedKind(kind)
    const isTextRejected = group.some(({ last_error }) => last_error === TEXT_REJECTED)
    const preferences = {
      email_messages,
      email_answers: email_answers && !isPaused, // no links are made for what is not sent
      email_message_text: newest.email_message_text && !isTextRejected,
    }
    const olderRefIds = group.slice(0, -1).map(({ ref_id }) => ref_id)
    const mail = { id, kind, refId, olderRefIds, recipientId, to, locale, preferences, data }
    return { ...lease, mail, isPaused }
  })
