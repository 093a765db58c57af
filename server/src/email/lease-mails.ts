import type { Locale } from '#contract/product.ts'
import { newId } from '../db/ids.ts'
import type { Db } from '../db/pool.ts'
import type { LeaseBatch } from '../jobs/lease-worker.ts'
import type { LeasedMail, SupportMail } from './mail-content.ts'
import type { MailKind, SupportMailKind } from './outbox.ts'

/** A worker that claims a mail holds it this long. */
export const LEASE_DURATION_S = 30
/** Messages of one mail; what is beyond waits for the next. */
const MAX_MESSAGES_PER_DIGEST = 1_000
/** A new message brings its owner's retry this near: what keeps failing is else tried every half hour only. */
const MAX_RETRY_WAIT_S = 60

/** The server refused the words of a mail: it goes out once more without what another person wrote. */
export const TEXT_REJECTED = 'text_refused'

/** Which queue: mails never tried, or mails to try again (also those of a worker that died). */
export type Queue = 'fresh' | 'retries'

/** A mail this worker holds; with one about messages also the owner's turn: nobody else mails the owner about them. */
export type Lease = {
  mail: LeasedMail | SupportMail
  /** The rows of the outbox it is for, oldest first. */
  ids: string[]
  /** Fencing token: only who holds it may say how the mail ended. */
  token: string
  /** Tries so far, this one included. */
  attempts: number
}

type OutboxRow = { id: string; ref_id: string; attempts: number; last_error: string | null }
type SupportRow = OutboxRow & { kind: SupportMailKind }
type PersonRow = OutboxRow & {
  kind: MailKind
  recipient_id: string
  data: Record<string, string>
  email: string
  locale: Locale
  email_messages: boolean
  email_message_text: boolean
}
type ClaimedRow = SupportRow | PersonRow

/**
 * Claims mails that are due, the longest waiting first; up to `limit` rows are looked at. Several workers on one
 * database never get the same one, and never two mails about messages for one owner.
 *
 * Whoever finds a due message of an owner takes the owner's turn (`digests`), and with it all that waits for the owner,
 * for one mail. When the turn has not come, because of the pause after a mail or because it is another worker's, what
 * is due is put off until then, so that it is looked at once and not every second. An owner whose mail failed belongs
 * to the retries, with all that comes meanwhile.
 *
 * Nothing here waits for the rows of another worker or of an account that is being deleted.
 */
export async function leaseMails(db: Db, queue: Queue, limit: number): Promise<LeaseBatch<Lease>> {
  const token = newId()
  const fresh = queue === 'fresh'
  // the condition on attempts is written out, not a parameter: only so the planner sees which index serves it
  const rows = await db<({ due: number; turns: number } & (ClaimedRow | { id: null }))[]>`
    with mails as materialized (
      select id, kind, recipient_id, run_at from outbox
      where kind <> 'message' and sent_at is null and failed_at is null and run_at <= now()
        and ${fresh ? db`attempts = 0` : db`attempts > 0`}
      order by run_at
      limit ${limit}
      for update skip locked
    ), messages as materialized (
      -- not held yet: whoever gets the turn must find all that waits
      select id, kind, recipient_id, run_at from outbox
      where kind = 'message' and sent_at is null and failed_at is null and run_at <= now()
        and ${fresh ? db`attempts = 0` : db`attempts > 0`}
      order by run_at
      limit ${limit}
    ), due as materialized (
      select * from mails union all select * from messages order by run_at limit ${limit}
    ), owners as materialized (
      select id from auth.users
      where id in (select recipient_id from due where kind = 'message')
      order by id
      for key share skip locked
    ), turns as (
      insert into digests as d (recipient_id, next_at, tries, lease_token)
      select id, now() + ${LEASE_DURATION_S} * interval '1 second', 1, ${token}::uuid from owners order by id
      on conflict (recipient_id) do update set
        next_at = case
          when d.next_at <= now() and (d.tries = 0 or ${!fresh}) then excluded.next_at
          when d.tries > 0 and d.lease_token is null and ${fresh}
            then least(d.next_at, now() + ${MAX_RETRY_WAIT_S} * interval '1 second')
          else d.next_at
        end,
        tries = case when d.next_at <= now() and (d.tries = 0 or ${!fresh}) then d.tries + 1 else d.tries end,
        lease_token = case
          when d.next_at <= now() and (d.tries = 0 or ${!fresh}) then excluded.lease_token else d.lease_token
        end
      returning recipient_id, next_at, tries, lease_token is not null and next_at > now() as held,
        lease_token is not distinct from ${token}::uuid as taken
    ), together as materialized (
      select waiting.id, t.tries
      from turns t
      cross join lateral (
        select o.id from outbox o
        where o.recipient_id = t.recipient_id and o.kind = 'message' and o.sent_at is null and o.failed_at is null
        order by o.id
        limit ${MAX_MESSAGES_PER_DIGEST}
        for update skip locked
      ) waiting
      where t.taken
    ), later as (
      update outbox o set run_at = put_off.next_at, attempts = put_off.attempts
      from (
        -- tried as often as the mail it will share
        select waiting.id, t.next_at, case when t.held then waiting.attempts else t.tries end as attempts
        from turns t
        cross join lateral (
          select o.id, o.attempts from outbox o
          where o.recipient_id = t.recipient_id and o.kind = 'message' and o.sent_at is null and o.failed_at is null
            and o.run_at <= now()
          order by o.id
          limit ${MAX_MESSAGES_PER_DIGEST}
          for update skip locked
        ) waiting
        where not t.taken
      ) put_off
      where o.id = put_off.id
    ), claimed as (
      update outbox o
      set attempts = coalesce(mine.tries, o.attempts + 1), run_at = now() + ${LEASE_DURATION_S} * interval '1 second',
        lease_token = ${token}
      from (
        select id, null::integer as tries from due where kind <> 'message'
        union all select id, tries from together
      ) mine
      where o.id = mine.id
      returning o.id, o.kind, o.ref_id, o.recipient_id, o.data, o.attempts, o.last_error
    )
    select (select count(*)::int from due) as due, (select count(*)::int from turns) as turns, c.*, u.email,
      coalesce(p.locale, 'en') as locale, coalesce(p.email_messages, true) as email_messages,
      coalesce(p.email_message_text, true) as email_message_text
    from (select) as once
    left join claimed c on true
    left join auth.users u on u.id = c.recipient_id
    left join preferences p on p.user_id = c.recipient_id
    order by c.id`
  const { due = 0, turns = 0 } = rows[0] ?? {}
  const claimed = rows.filter((row) => row.id !== null)
  // rows that nothing was done about, because others have them locked, would be found again at once
  const mayHaveMore = due === limit && claimed.length + turns > 0
  return { leases: groupIntoLeases(claimed, token), mayHaveMore }
}

/** One lease a mail: messages of one owner share one, everything else stands alone. */
function groupIntoLeases(rows: ClaimedRow[], token: string): Lease[] {
  const leases: (Lease & { mail: LeasedMail })[] = []
  const supportLeases: Lease[] = []
  for (const row of rows) {
    if (row.kind === 'contact') {
      const { id, kind, ref_id, attempts, last_error } = row
      const mail = { id, kind, refId: ref_id, withText: last_error !== TEXT_REJECTED }
      supportLeases.push({ mail, ids: [id], token, attempts })
      continue
    }
    const { id, kind, ref_id, recipient_id, data, attempts, last_error, email, locale, ...preferences } = row
    const existing =
      kind === 'message' && leases.find(({ mail }) => mail.kind === kind && mail.recipientId === recipient_id)
    const lease = existing || {
      mail: { id, kind, refId: ref_id, recipientId: recipient_id, to: email, locale, preferences, data },
      ids: [],
      token,
      attempts,
    }
    lease.ids.push(id)
    if (existing) {
      lease.mail.olderRefIds = [...(lease.mail.olderRefIds ?? []), lease.mail.refId]
      // by the newest row: a mail that comes twice is known as one, a retry that has more to say is another
      lease.mail.id = id
      lease.mail.refId = ref_id
    } else leases.push(lease)
    if (last_error === TEXT_REJECTED) lease.mail.preferences.email_message_text = false
  }
  return [...leases, ...supportLeases]
}
