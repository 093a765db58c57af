import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { newId } from '../db/ids.ts'
import type { Db, Pool, Transaction } from '../db/pool.ts'
import { OperatorError } from '../log/operator-error.ts'
import { associatedDataFor, columnName, ENCRYPTED_COLUMNS, type EncryptedColumn } from './encrypted-columns.ts'
import {
  type AssociatedData,
  currentKeyId,
  DecryptionError,
  decryptText,
  encryptText,
  HEADER_BYTES,
  type Keyring,
  type MasterKeys,
  MIN_VALUE_BYTES,
} from './envelope-encryption.ts'

const PROOF_TEXT = 'PlateNote can open this'
const HASH_SECRET_NAME = 'hashes'
const HASH_SECRET_BYTES = 32

/** The master keys do not fit the database; the message is one line that says what to set. */
export class MasterKeyError extends OperatorError {}

const proofAssociatedData = (keyId: string): AssociatedData => ({
  table: 'encryption_keys',
  column: 'proof',
  id: keyId,
})

const hasKeyTable = async (db: Db): Promise<boolean> => {
  const [row] = await db<{ exists: boolean }[]>`select to_regclass('encryption_keys') is not null as exists`
  return row!.exists
}

/** Returns whether the database contains encrypted values, so that a newly generated key would be the wrong one. */
export const hasEncryptedData = async (db: Db): Promise<boolean> => {
  if (!(await hasKeyTable(db))) return false
  return (await db`select 1 from encryption_keys limit 1`).length > 0
}

/**
 * Checks that these keys decrypt what is in the database, by the proof that each key in use has left: a known text.
 * Only reads, and works on a database of an older version, so that it can run before the migrations. Throws a
 * MasterKeyError.
 *
 * @returns ids of keys that are not among these and no longer needed, because nothing is encrypted with them
 */
export async function verifyKeys(db: Db, keys: MasterKeys): Promise<string[]> {
  if (!(await hasKeyTable(db))) return []
  const rows = await db<{ key_id: string; proof: Buffer }[]>`select key_id, proof from encryption_keys order by key_id`
  const absent: string[] = []
  for (const { key_id, proof } of rows) {
    if (keys.byId.has(key_id)) assertProof(keys, key_id, proof)
    else absent.push(key_id)
  }
  if (absent.length === 0 && rows.length > 0) return []
  // without any proof, for example after an incomplete restore, any key that is not among these may be missing
  const needed = await findMissingKey(db, rows.length > 0 ? absent : null, [...keys.byId.keys()])
  if (needed === undefined) return absent
  if (rows.some(({ key_id }) => key_id === currentKeyId(keys))) {
    throw new MasterKeyError(
      `missing setting: MASTER_KEYS_OLD lacks key ${needed}, which still encrypts values of this database; name it there, then run platenote rotate-keys`,
    )
  }
  throw new MasterKeyError(
    `wrong setting: MASTER_KEY does not open this database (it was encrypted with key ${needed}); set the key it was encrypted with, or name it in MASTER_KEYS_OLD`,
  )
}

/** Does the same before anything else is done with the database, however long it takes. Throws a MasterKeyError. */
export const verifyKeysBeforeStart = (db: Pool, keys: MasterKeys): Promise<string[]> =>
  db.begin('read only', async (tx) => {
    await waitAsLongAsNeeded(tx)
    return verifyKeys(tx, keys)
  })

/** Lifts the limits of a transaction: reading everything that is encrypted may take longer than those, and a migration too. */
async function waitAsLongAsNeeded(tx: Transaction): Promise<void> {
  await tx.setStatementTimeout(0)
  await tx`set local lock_timeout = 0`
}

/** Throws when a proof cannot be decrypted with its own key, so that it must have been changed. */
function assertProof(keys: MasterKeys, keyId: string, proof: Buffer) {
  try {
    if (decryptText(keys, proofAssociatedData(keyId), proof) === PROOF_TEXT) return
  } catch (error) {
    if (!(error instanceof DecryptionError)) throw error
  }
  throw new MasterKeyError(
    `the proof of key ${keyId} in the table encryption_keys was changed; restore this row from a backup, or delete it`,
  )
}

/** Finds a key that encrypts something: one of `among`, or, if that is null, any but the known ones. */
async function findMissingKey(db: Db, among: string[] | null, known: string[]): Promise<string | undefined> {
  for (const encryptedColumn of ENCRYPTED_COLUMNS) {
    if (!(await columnExists(db, encryptedColumn))) continue
    const column = db(encryptedColumn.column)
    const [row] = await db<{ key_id: string }[]>`
      select key_id
      from ${db(encryptedColumn.table)}, encode(substring(${column} from 2 for ${HEADER_BYTES - 1}), 'hex') as key_id
      where key_id = any(${among}::text[])
        or (${among}::text[] is null and key_id <> all(${known}::text[]) and octet_length(${column}) >= ${MIN_VALUE_BYTES})
      limit 1`
    if (row) return row.key_id
  }
}

/** Returns false on a database that is older than the column. */
const columnExists = async (db: Db, { table, column }: EncryptedColumn): Promise<boolean> =>
  (
    await db`
      select 1 from pg_attribute
      where attrelid = to_regclass(${table}) and attname = ${column} and not attisdropped`
  ).length > 0

/**
 * Checks the keys after the migrations, and puts them to use: stores the current key's proof, deletes the proofs of
 * keys that are no longer needed, and decrypts the database's secret for hashes, which the first start generates.
 * Starts wait for each other here, so that two with different keys cannot both succeed on an empty database. Throws a
 * MasterKeyError.
 */
export async function openKeyring(db: Pool, keys: MasterKeys): Promise<Keyring> {
  return db.begin(async (tx) => {
    await waitAsLongAsNeeded(tx)
    await tx`lock table encryption_keys in share row exclusive mode`
    const unneeded = await verifyKeys(tx, keys)
    const id = currentKeyId(keys)
    const proof = encryptText(keys, proofAssociatedData(id), PROOF_TEXT)
    await tx`insert into encryption_keys (key_id, proof) values (${id}, ${proof}) on conflict do nothing`
    await tx`delete from encryption_keys where key_id = any(${unneeded}::text[])`
    return { ...keys, hashKey: await loadHashKey(tx, keys) }
  })
}

const SECRETS_COLUMN = ENCRYPTED_COLUMNS.find(({ table }) => table === 'encryption_secrets')!

async function loadHashKey(tx: Db, keys: MasterKeys): Promise<KeyObject> {
  const [row] = await tx<{ id: string; secret_encrypted: Buffer }[]>`
    select id, secret_encrypted from encryption_secrets where name = ${HASH_SECRET_NAME}`
  if (row) {
    try {
      return toSecretKey(decryptText(keys, associatedDataFor(SECRETS_COLUMN, row.id), row.secret_encrypted))
    } catch (error) {
      if (!(error instanceof DecryptionError)) throw error
      throw new MasterKeyError(
        `${columnName(SECRETS_COLUMN)} was changed in the database; restore this row from a backup (without it no block and no sanction finds its person again)`,
      )
    }
  }
  const [id, secret] = [newId(), randomBytes(HASH_SECRET_BYTES).toString('base64')]
  await tx`
    insert into encryption_secrets (id, name, secret_encrypted)
    values (${id}, ${HASH_SECRET_NAME}, ${encryptText(keys, associatedDataFor(SECRETS_COLUMN, id), secret)})`
  return toSecretKey(secret)
}

const toSecretKey = (base64: string): KeyObject => createSecretKey(Buffer.from(base64, 'base64'))

/** Returns whether a server has started with the current key. Until one has, no server could decrypt what it encrypts. */
export const isKeyInUse = async (db: Db, keys: MasterKeys): Promise<boolean> =>
  (await db`select 1 from encryption_keys where key_id = ${currentKeyId(keys)}`).length > 0
