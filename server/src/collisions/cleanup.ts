import type { Pool } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Keyring } from '../encryption/envelope-encryption.ts'
import { hashMessageId } from './card-encryption.ts'
import { claimCardDeletions, deleteCards, deleteOldCards } from './queries.ts'

/** The cards one transaction deletes. */
const CHUNK = 200

/** Deletes cards that nobody can read any more, because their message is gone from both sides, and those that are too old. */
export async function cleanUpCards(db: Pool, keyring: Keyring): Promise<void> {
  for (let taken = CHUNK; taken === CHUNK; ) {
    taken = await inTransaction(db, async (tx) => {
      const ids = await claimCardDeletions(tx, CHUNK)
      const hashes = ids.map((id) => hashMessageId(keyring, id))
      if (hashes.length > 0) await deleteCards(tx, hashes)
      return ids.length
    })
  }
  await deleteOldCards(db)
}
