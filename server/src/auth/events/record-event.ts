import type { AccountEventType } from '#contract/account-events.ts'
import { parseUserAgent } from '#contract/user-agent.ts'
import type { AppContext } from '../../context.ts'
import type { Db } from '../../db/pool.ts'
import { type Keyring, keyedHash } from '../../encryption/envelope-encryption.ts'
import { enclosingNetworks } from '../../limits/network.ts'
import { describeError } from '../../log/safe-error.ts'
import type { AuthError, AuthErrorCode } from '../errors.ts'
import type { ClientInfo } from '../session-queries.ts'
import { EVENTS_PER_HOUR, insertFailure, type Origin } from './event-queries.ts'

/**
 * Returns the network an address belongs to, as coarse as what a provider gives its customers from: people's addresses
 * change within it.
 */
const coarseNetwork = (ip: string): string => enclosingNetworks(ip).at(-1)!.network

/** Hashes the network of an IP address with a key; null for an event on the server. */
export const hashNetwork = (keyring: Keyring, ip: string | null): Buffer | null =>
  ip === null ? null : keyedHash(keyring, 'event network', coarseNetwork(ip))

/** Names the kind of device: 'Firefox · Windows'. Versions change too often to distinguish devices by. */
function nameDevice(userAgent: string | null): string | null {
  const { browser, system } = parseUserAgent(userAgent)
  return [browser, system].filter(Boolean).join(' · ') || null
}

/** Reduces where a request came from to what events store: a keyed hash of the network, and the kind of device. */
export const toOrigin = (keyring: Keyring, { ip, user_agent }: ClientInfo): Origin => ({
  networkHash: hashNetwork(keyring, ip),
  device: nameDevice(user_agent),
})

type NewEvent = {
  userId: string
  type: AccountEventType
  sessionId?: string | null
  /** Left out: it was done on the server. */
  clientInfo?: ClientInfo
}

const NOWHERE: ClientInfo = { ip: null, user_agent: null }

/** Records something that happened to an account, unless the same has happened very often within an hour. */
export async function recordEvent(
  db: Db,
  keyring: Keyring,
  { userId, type, sessionId = null, clientInfo = NOWHERE }: NewEvent,
): Promise<void> {
  const { networkHash, device } = toOrigin(keyring, clientInfo)
  await db`
    insert into auth.events (user_id, type, session_id, network_hash, device)
    select ${userId}::uuid, ${type}, ${sessionId}::uuid, ${networkHash}::bytea, ${device}::text
    where (
      select count(*) from auth.events where user_id = ${userId} and type = ${type} and at > now() - interval '1 hour'
    ) < ${EVENTS_PER_HOUR}`
}

/** Records what the command on the server did, which has no keys and needs none: it is nowhere. */
export const recordEventOnServer = async (db: Db, userId: string, type: AccountEventType): Promise<void> => {
  await db`insert into auth.events (user_id, type) values (${userId}, ${type})`
}

/** Records failed sign-ins after they were answered, so that an answer takes as long for an address without an account. */
export type FailureRecorder = {
  record(email: string, error: AuthError, clientInfo: ClientInfo): void
  /** Resolves when everything is recorded. */
  stop(): Promise<void>
}

const TYPES: Partial<Record<AuthErrorCode, 'sign_in_failed' | 'sign_in_refused'>> = {
  invalid_credentials: 'sign_in_failed',
  over_request_rate_limit: 'sign_in_refused',
}

/** The failures that wait to be recorded; in a flood the others are not, and nobody waits for them. */
const WAITING_MAX = 20

/** Creates the recorder of failed sign-ins, which never delays or fails the sign-in itself. */
export function createFailureRecorder({
  db,
  keyring,
  log,
}: Pick<AppContext, 'db' | 'keyring' | 'log'>): FailureRecorder {
  // those of one address one after the other, because each counts the ones before it
  const lastOf = new Map<string, Promise<void>>()
  let waiting = 0
  return {
    record(email, error, clientInfo) {
      const type = TYPES[error.code]
      if (!type || waiting >= WAITING_MAX) return
      waiting++
      const recording = (lastOf.get(email) ?? Promise.resolve())
        .then(() => insertFailure(db, email, type, toOrigin(keyring, clientInfo)))
        .catch((error: unknown) => log.warn({ error: describeError(error) }, 'a failed sign-in was not recorded'))
        .finally(() => {
          waiting--
          if (lastOf.get(email) === recording) lastOf.delete(email)
        })
      lastOf.set(email, recording)
    },
    async stop() {
      await Promise.all(lastOf.values())
    },
  }
}
