import type { Pool } from '../db/pool.ts'

/**
 * Lets the pause after owners' last emails pass, so that what waits for them is due: of one owner, or of all.
 *
 * In one transaction that takes the recipient lock first, as the worker does. Otherwise a worker that wakes between the
 * two statements would skip the rows that are being changed, and email only some of what waits.
 */
export const endDigestPause = async (db: Pool, ownerId: string | null = null): Promise<void> => {
  await db.begin(async (tx) => {
    await tx`update digests set next_at = now() where ${ownerId}::uuid is null or recipient_id = ${ownerId}`
    await tx`
      update outbox set run_at = now()
      where (${ownerId}::uuid is null or recipient_id = ${ownerId}) and sent_at is null and failed_at is null`
  })
}
