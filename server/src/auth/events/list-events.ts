import type { FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import type { AccountEvent } from '#contract/account-events.ts'
import type { PageParams } from '#contract/endpoint.ts'
import { pageLimit, parseCursor, toPage } from '../../db/pagination.ts'
import type { Db } from '../../db/pool.ts'
import type { Keyring } from '../../encryption/envelope-encryption.ts'
import type { Actor } from '../../http/actor.ts'
import { type EventRow, listEvents } from './event-queries.ts'
import { hashNetwork } from './record-event.ts'

const CursorFormat = z.string().check(z.regex(/^\d{1,18}\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/))

/** How much of a hash names a network: enough to distinguish a person's networks. */
const NETWORK_NAME_CHARACTERS = 6

/**
 * Returns a page of what happened to an account, the latest first.
 *
 * @param userId the account
 * @param actor who looks: its person, or an admin
 */
export async function getEventsPage(
  { db, keyring }: { db: Db; keyring: Keyring },
  userId: string,
  paging: PageParams,
  { actor, request }: { actor: Actor; request: FastifyRequest },
) {
  const limit = pageLimit(paging)
  const [atUs, id] = parseCursor(CursorFormat, paging)?.split('.') ?? []
  const rows = await listEvents(db, userId, atUs !== undefined && id !== undefined ? { atUs, id } : null, limit + 1)
  const ownNetwork = hashNetwork(keyring, request.ip)
  return toPage(
    rows,
    limit,
    (row) => `${row.at_us}.${row.id}`,
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
