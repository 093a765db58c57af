import type { Pool } from '../db/pool.ts'
import { eventually } from './eventually.ts'

/** Resolves once nothing that waits for owners is due or being emailed: of one owner, or of all. */
export const untilPutOff = (db: Pool, ownerId: string | null = null): Promise<true> =>
  eventually(async () => {
    const due = await db`
      select from outbox
      where (${ownerId}::uuid is null or recipient_id = ${ownerId}) and sent_at is null and failed_at is null
        and (run_at <= now() or lease_token is not null)`
    return due.length === 0 ? true : undefined
  })

/**
 * Lets the pause after owners' last emails pass, so that what waits for them is due: of one owner, or of all.
 *
 * In one transaction that takes the recipient lock first, as the worker does. A worker that is reading what is due at this
 * moment may skip rows that are being changed, and email only some of what waits: see `untilPutOff`.
 */
export const endDigestPause = async (db: Pool, ownerId: string | null = null): Promise<void> => {
  await db.begin(async (tx) => {
    await tx`update digests set next_at = now() where ${ownerId}::uuid is null or recipient_id = ${ownerId}`
    // a row that the worker is marking at this moment is left to it: waiting for it could be a deadlock
    await tx`
      update outbox set run_at = now()
      where id in (
        select id from outbox
        where (${ownerId}::uuid is null or recipient_id = ${ownerId}) and sent_at is null and failed_at is null
        for update skip locked)`
  })
}
