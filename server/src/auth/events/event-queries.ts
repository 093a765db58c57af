import type { AccountEventType } from '#contract/account-events.ts'
import { MAX_BIGINT, MAX_UUID } from '../../db/pagination.ts'
import type { Db } from '../../db/pool.ts'
import { RETENTION } from '../../retention.ts'

/** Where somebody is: the network as a keyed hash, and the kind of device. */
export type Origin = { networkHash: Buffer | null; device: string | null }

export type EventRow = {
  id: string
  at: string
  /** `at` in microseconds since 1970, as exact as it is stored; the list is paged by it. */
  at_us: string
  type: AccountEventType
  session_id: string | null
  network_hash: Buffer | null
  device: string | null
}

/** The event a page starts after. It has an id because two may have happened in the same microsecond. */
type EventCursor = { atUs: string; id: string }

/**
 * Lists what happened to an account, the latest first.
 *
 * @param before null: from the start
 */
export const listEvents = (db: Db, userId: string, before: EventCursor | null, limit: number) =>
  db<EventRow[]>`
    select id, at, (extract(epoch from at) * 1000000)::bigint::text as at_us, type, session_id, network_hash, device
    from auth.events
    where user_id = ${userId} and at > now() - ${RETENTION.accountEvents.period}::interval
      and ((extract(epoch from at) * 1000000)::bigint, id)
        < (${before?.atUs ?? MAX_BIGINT}::bigint, ${before?.id ?? MAX_UUID}::uuid)
    order by at desc, id desc
    limit ${limit}`

/**
 * How many events of one kind an hour are recorded for an account; of sign-ins, from each device and network. A loop, of the
 * person's own software or of somebody else's, fills neither the list nor the table.
 */
export const EVENTS_PER_HOUR = 30

/** Records a sign-in that failed, if the address has a confirmed account. */
export const insertFailure = async (
  db: Db,
  email: string,
  type: 'sign_in_failed' | 'sign_in_refused',
  { networkHash, device }: Origin,
): Promise<void> => {
  await db`
    insert into auth.events (user_id, type, network_hash, device)
    select u.id, ${type}, ${networkHash}::bytea, ${device}::text
    from auth.users u
    where u.email = ${email} and u.email_confirmed_at is not null
      and (select count(*) from auth.events e
        where e.user_id = u.id and e.type = ${type} and e.at > now() - interval '1 hour') < ${EVENTS_PER_HOUR}`
}

/** What is known of a session that begins. */
type SessionStart = { user_id: string; user_agent: string | null; ip: string | null }

/** Finds a session that begins, and keeps its account from being deleted until the transaction ends. */
export const findSessionStart = async (tx: Db, sessionId: string): Promise<SessionStart | undefined> => {
  const [row] = await tx<SessionStart[]>`
    select s.user_id, s.user_agent, host(s.ip) as ip
    from auth.sessions s join auth.users u on u.id = s.user_id
    where s.id = ${sessionId}
    for key share of u`
  return row
}

/**
 * Records the start of a session. Returns whether nobody has signed in to the account from this kind of device and this
 * network before, within the time that events are kept; false for the account's first sign-in.
 */
export const insertSessionStart = async (
  db: Db,
  input: { userId: string; sessionId: string; type: 'sign_in' | 'link_used'; origin: Origin },
): Promise<boolean> => {
  const { userId, sessionId, type, origin } = input
  const [row] = await db<{ is_new: boolean }[]>`
    with earlier as materialized (
      select at, network_hash is not distinct from ${origin.networkHash}::bytea
        and device is not distinct from ${origin.device}::text as is_same
      from auth.events where user_id = ${userId} and type in ('sign_in', 'link_used')
    ), recorded as (
      insert into auth.events (user_id, type, session_id, network_hash, device)
      select ${userId}::uuid, ${type}, ${sessionId}::uuid, ${origin.networkHash}::bytea, ${origin.device}::text
      where (select count(*) from earlier where is_same and at > now() - interval '1 hour') < ${EVENTS_PER_HOUR}
    )
    select not exists (select from earlier where is_same)
      -- a younger account without events has never been signed in to
      and (exists (select from earlier) or u.created_at < now() - ${RETENTION.accountEvents.period}::interval) as is_new
    from auth.users u
    where u.id = ${userId}`
  return row?.is_new ?? false
}

/** Deletes what is older than events are kept. */
export const deleteOldEvents = async (db: Db): Promise<void> => {
  await db`delete from auth.events where at < now() - ${RETENTION.accountEvents.period}::interval`
}
