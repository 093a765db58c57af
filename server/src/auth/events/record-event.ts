import type { AccountEventType } from '#contract/account-events.ts'
import { parseUserAgent } from '#contract/user-agent.ts'
import type { Db } from '../../db/pool.ts'
import { type Keyring, keyedHash } from '../../encryption/envelope-encryption.ts'
import { enclosingNetworks } from '../../limits/network.ts'
import type { ClientInfo } from '../session-queries.ts'
import { EVENTS_PER_HOUR, type Origin } from './event-queries.ts'

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
