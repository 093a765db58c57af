import { randomInt } from 'node:crypto'
import { hashRaw } from '@node-rs/argon2'
import { noteCheckDigit } from '#contract/note-code.ts'
import { type Keyring, keyedHash } from '../encryption/envelope-encryption.ts'

/** argon2id with OWASP's parameters, as for passwords: 19 MiB, two passes, one lane. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 }
const SALT_BYTES = 16

/** What code and plate lead to: where the note is found, and half of the key that opens it. */
type NoteKeys = { codeHash: Buffer; secret: Buffer }

/** Chooses a code at random: eleven digits and their check digit. */
export function chooseCode(): string {
  const digits = Array.from({ length: 11 }, () => randomInt(10)).join('')
  return digits + noteCheckDigit(digits)
}

/**
 * Derives the keys of a note. Both are slow hashes under a secret that is not in the database: who has the database and the
 * master key still has to try a hundred thousand million codes, and then the plates, each at the price of a password.
 *
 * @param plateKey as plates are matched
 */
export async function deriveNoteKeys(keyring: Keyring, code: string, plateKey: string): Promise<NoteKeys> {
  const codeHash = await hashRaw(code, {
    ...PARAMETERS,
    // the same for every note: it has to be found by its code
    salt: keyedHash(keyring, 'note code salt', '').subarray(0, SALT_BYTES),
    secret: keyedHash(keyring, 'note code', ''),
  })
  const secret = await hashRaw(`${code} ${plateKey}`, {
    ...PARAMETERS,
    salt: codeHash.subarray(0, SALT_BYTES),
    secret: keyedHash(keyring, 'note key', ''),
  })
  return { codeHash, secret }
}
