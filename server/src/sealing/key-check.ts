import type { Pool } from '../db/pool.ts'
import { currentKeyId, type Keyring, openText, sealText, UnsealError } from './seal.ts'

const KNOWN = 'PlateNote can open this'

/** The master keys do not fit the database; the message says what to set. */
export class KeyError extends Error {}

/**
 * Proves at start that this process can open what the database holds, before anything is written: each key that ever
 * sealed here left a known text. A new key leaves its own.
 */
export async function checkKeys(db: Pool, keyring: Keyring): Promise<void> {
  const rows = await db<{ key_id: string; proof: Buffer }[]>`select key_id, proof from sealing_keys`
  for (const { key_id, proof } of rows) {
    try {
      openText(keyring, { table: 'sealing_keys', column: 'proof', id: key_id }, proof)
    } catch (error) {
      if (!(error instanceof UnsealError)) throw error
      throw new KeyError(
        `wrong setting: MASTER_KEY does not open this database (it was sealed with key ${key_id}); set the key it was sealed with, or name it in MASTER_KEYS_OLD`,
      )
    }
  }
  const id = currentKeyId(keyring)
  const proof = sealText(keyring, { table: 'sealing_keys', column: 'proof', id }, KNOWN)
  await db`insert into sealing_keys (key_id, proof) values (${id}, ${proof}) on conflict do nothing`
}
