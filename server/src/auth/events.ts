import type { FastifyRequest } from 'fastify'
import type { AccountEvent, AccountEventType } from '#contract/account-events.ts'
import type { PageParams } from '#contract/endpoint.ts'
import { parseUserAgent } from '#contract/user-agent.ts'
import type { AppContext } from '../context.ts'
import { MAX_BIGINT, MAX_UUID, readPageByTime, type TimeCursor } from '../db/pagination.ts'
import type { Db } from '../db/pool.ts'
import { type Keyring, keyedHash } from '../encryption/envelope-encryption.ts'
import type { Actor } from '../http/actor.ts'
import { enclosingNetworks } from '../limits/network.ts'
import { describeError } from '../log/safe-error.ts'
import { RETENTION } from '../retention.ts'
import { queueNotice } from './account-notices.ts'
import type { AuthError, AuthErrorCode } from './errors.ts'
import type { ClientInfo } from './session-queries.ts'
import { findUserForSignIn } from './user-queries.ts'

// What happened to an account, for its person and for admins (decision account-events).

/** Where somebody is: the network as a keyed hash, and the kind of device. */
type Origin = { networkHash: Buffer | null; device: string | null }

/**
 * Hashes the network of an IP address with a key; null for an event on the server. The network is as coarse as what a provider
 * gives its customers from: people's addresses change within it.
 */
const hashNetwork = (keyring: Keyring, ip: string | null): Buffer | null =>
  ip === null ? null : keyedHash(keyring, 'event network', enclosingNetworks(ip).at(-1)!.network)

/**
 * Reduces where a request came from to what events store: a keyed hash of the network, and the kind of device ('Firefox ·
 * Windows'). Versions change too often to distinguish devices by.
 */
function toOrigin(keyring: Keyring, { ip, user_agent }: ClientInfo): Origin {
  const { browser, system } = parseUserAgent(user_agent)
  return { networkHash: hashNetwork(keyring, ip), device: [browser, system].filter(Boolean).join(' · ') || null }
}

// --- recording

/**
 * How many events of one kind an hour are recorded for an account; of sign-ins, from each device and network. A loop, of the
 * person's own software or of somebody else's, fills neither the list nor the table.
 */
const EVENTS_PER_HOUR = 30

type NewEvent = { userId: string; type: AccountEventType; sessionId?: string; clientInfo: ClientInfo }

/** Records something that happened to an account, unless the same has happened very often within an hour. */
export async function recordEvent(
  db: Db,
  keyring: Keyring,
  { userId, type, sessionId, clientInfo }: NewEvent,
): Promise<void> {
  const { networkHash, device } = toOrigin(keyring, clientInfo)
  await db`
    insert into auth.events (user_id, type, session_id, network_hash, device)
    select ${userId}::uuid, ${type}, ${sessionId ?? null}::uuid, ${networkHash}::bytea, ${device}::text
    where (
      select count(*) from auth.events where user_id = ${userId} and type = ${type} and at > now() - interval '1 hour'
    ) < ${EVENTS_PER_HOUR}`
}

/** Records what the command on the server did, which has no keys and needs none: it is nowhere. */
export const recordEventOnServer = async (db: Db, userId: string, type: AccountEventType): Promise<void> => {
  await db`insert into auth.events (user_id, type) values (${userId}, ${type})`
}

/**
 * Records that a session began: with a password, or by the first use of a link. Somebody who signs in from a device or a
 * network not seen before, within the time that events are kept, gets an email, because it may be somebody else; not at the
 * account's first sign-in.
 */
export async function recordSessionStart(
  tx: Db,
  keyring: Keyring,
  sessionId: string,
  type: 'sign_in' | 'link_used',
): Promise<void> {
  const [session] = await tx<(ClientInfo & { user_id: string })[]>`
    select user_id, user_agent, host(ip) as ip from auth.sessions where id = ${sessionId}`
  const { user_id, ...clientInfo } = session! // it begins in this transaction
  const { networkHash, device } = toOrigin(keyring, clientInfo)
  const [row] = await tx<{ is_new: boolean }[]>`
    with earlier as materialized (
      select at, network_hash is not distinct from ${networkHash}::bytea
        and device is not distinct from ${device}::text as is_same
      from auth.events where user_id = ${user_id} and type in ('sign_in', 'link_used')
    ), recorded as (
      insert into auth.events (user_id, type, session_id, network_hash, device)
      select ${user_id}::uuid, ${type}, ${sessionId}::uuid, ${networkHash}::bytea, ${device}::text
      where (select count(*) from earlier where is_same and at > now() - interval '1 hour') < ${EVENTS_PER_HOUR}
    )
    select not exists (select from earlier where is_same)
      -- a younger account without events has never been signed in to
      and (exists (select from earlier) or u.created_at < now() - ${RETENTION.accountEvents}::interval) as is_new
    from auth.users u
    where u.id = ${user_id}`
  if (row?.is_new) await queueNotice(tx, user_id, 'new_sign_in', device === null ? {} : { device })
}

const TYPES: Partial<Record<AuthErrorCode, 'sign_in_failed' | 'sign_in_refused'>> = {
  invalid_credentials: 'sign_in_failed',
  over_request_rate_limit: 'sign_in_refused',
}

/** The failures that wait to be recorded; in a flood the others are not, and nobody waits for them. */
const WAITING_MAX = 20

/**
 * Creates the recorder of failed sign-ins to confirmed accounts, which never delays or fails the sign-in itself: it records them after
 * they were answered, so that an answer takes as long for an address without an account.
 */
export function createFailureRecorder({ db, keyring, log }: Pick<AppContext, 'db' | 'keyring' | 'log'>) {
  // one after the other, because each counts the ones before it
  let last = Promise.resolve()
  let waiting = 0
  const recordFailure = async (email: string, type: AccountEventType, clientInfo: ClientInfo) => {
    const user = await findUserForSignIn(db, email)
    if (user?.email_confirmed_at) await recordEvent(db, keyring, { userId: user.id, type, clientInfo })
  }
  return {
    record(email: string, error: AuthError, clientInfo: ClientInfo) {
      const type = TYPES[error.code]
      if (!type || waiting >= WAITING_MAX) return
      waiting++
      last = last
        .then(() => recordFailure(email, type, clientInfo))
        .catch((error: unknown) => log.warn({ error: describeError(error) }, 'a failed sign-in was not recorded'))
        .finally(() => {
          waiting--
        })
    },
    /** Resolves when everything is recorded. */
    stop: () => last,
  }
}

// --- showing

export type EventRow = {
  id: string
  at: string
  /** `at`, by which the list is paged. */
  us: string
  type: AccountEventType
  session_id: string | null
  network_hash: Buffer | null
  device: string | null
}

/**
 * Lists what happened to an account, the latest first.
 *
 * @param before null: from the start
 */
export const listEvents = (db: Db, userId: string, before: TimeCursor | null, limit: number) =>
  db<EventRow[]>`
    select id, at, (extract(epoch from at) * 1000000)::bigint::text as us, type, session_id, network_hash, device
    from auth.events
    where user_id = ${userId} and at > now() - ${RETENTION.accountEvents}::interval
      and ((extract(epoch from at) * 1000000)::bigint, id)
        < (${before?.us ?? MAX_BIGINT}::bigint, ${before?.id ?? MAX_UUID}::uuid)
    order by at desc, id desc
    limit ${limit}`

/** How much of a hash names a network: enough to distinguish a person's networks. */
const NETWORK_NAME_CHARACTERS = 6

/**
 * Returns a page of what happened to an account, the latest first.
 *
 * @param userId the account
 * @param actor who looks: its person, or an admin
 */
export function getEventsPage(
  { db, keyring }: { db: Db; keyring: Keyring },
  userId: string,
  paging: PageParams,
  { actor, request }: { actor: Actor; request: FastifyRequest },
) {
  const ownNetwork = hashNetwork(keyring, request.ip)
  return readPageByTime(
    paging,
    (before, limit) => listEvents(db, userId, before, limit),
    (row) => toAccountEvent(row, ownNetwork, actor.sessionId),
  )
}

const toAccountEvent = (row: EventRow, ownNetwork: Buffer | null, ownSessionId: string): AccountEvent => ({
  id: row.id,
  at: row.at,
  type: row.type,
  device: row.device,
  network: row.network_hash?.toString('hex').slice(0, NETWORK_NAME_CHARACTERS) ?? null,
  same_network: row.network_hash !== null && ownNetwork !== null && row.network_hash.equals(ownNetwork),
  current_session: row.session_id === ownSessionId,
})

/** Deletes what is older than events are kept. */
export const deleteOldEvents = async (db: Db): Promise<void> => {
  await db`delete from auth.events where at < now() - ${RETENTION.accountEvents}::interval`
}
