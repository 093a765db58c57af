import { createSecretKey, type KeyObject } from 'node:crypto'
import { newId } from '../db/ids.ts'
import type { Db, Pool } from '../db/pool.ts'
import { OperatorError } from '../log/operator-error.ts'
import { associatedDataFor, columnName, ENCRYPTED_COLUMNS, type EncryptedColumn } from './encrypted-columns.ts'
import {
  type AssociatedData,
  currentKeyId,
  DecryptionError,
  decryptText,
  ENVELOPE_BYTES,
  encryptText,
  KEY_ID_BYTES,
  type Keyring,
  type MasterKeys,
} from './envelope-encryption.ts'
import { pooledRandomBytes } from './random-bytes.ts'

const PROOF_TEXT = 'PlateNote can open this'
const HASH_SECRET_NAME = 'hashes'
const HASH_SECRET_BYTES = 32

/** The master keys do not fit the database; the message is one line that says what to set. */
export class MasterKeyError extends OperatorError {}

const proofAssociatedData = (keyId: string): AssociatedData => ({ table: 'sealing_keys', column: 'proof', id: keyId })

/** Whether somebody has sealed something here, so that only a key that is there already will do. */
export const hasEncryptedData = async (db: Db): Promise<boolean> => {
  const [row] = await db<{ there: boolean }[]>`select to_regclass('sealing_keys') is not null as there`
  if (!row?.there) return false
  return (await db`select 1 from sealing_keys limit 1`).length > 0
}

/**
 * Proves that these keys open what the database holds: each key that ever sealed here left a known text. Only reads, and
 * works on a database of an older version too, so it comes before the migrations. Throws a MasterKeyError.
 *
 * @returns names of keys that are not among these, and are not needed because nothing is sealed with them any more
 */
export async function verifyKeys(db: Db, keys: MasterKeys): Promise<string[]> {
  const [table] = await db<{ there: boolean }[]>`select to_regclass('sealing_keys') is not null as there`
  if (!table?.there) return []
  const rows = await db<{ key_id: string; proof: Buffer }[]>`select key_id, proof from sealing_keys order by key_id`
  const absent: string[] = []
  for (const { key_id, proof } of rows) {
    if (keys.byId.has(key_id)) assertProof(keys, key_id, proof)
    else absent.push(key_id)
  }
  if (absent.length === 0 && rows.length > 0) return []
  // without any proof (a table that was not restored, say) every other key counts
  const needed = await findMissingKey(db, rows.length > 0 ? absent : null, [...keys.byId.keys()])
  if (needed === undefined) return absent
  if (rows.some(({ key_id }) => key_id === currentKeyId(keys))) {
    throw new MasterKeyError(
      `missing setting: MASTER_KEYS_OLD lacks key ${needed}, which still seals values of this database; name it there, then run npm run rotate-keys`,
    )
  }
  throw new MasterKeyError(
    `wrong setting: MASTER_KEY does not open this database (it was sealed with key ${needed}); set the key it was sealed with, or name it in MASTER_KEYS_OLD`,
  )
}

/** The proof and the key have one name, so a proof that does not open was changed. */
function assertProof(keys: MasterKeys, keyId: string, proof: Buffer) {
  try {
    if (decryptText(keys, proofAssociatedData(keyId), proof) === PROOF_TEXT) return
  } catch (error) {
    if (!(error instanceof DecryptionError)) throw error
  }
  throw new MasterKeyError(
    `the proof of key ${keyId} in the table sealing_keys was changed; restore this row from a backup, or delete it`,
  )
}

/** One of these keys that something is sealed with; null: any but the known ones. */
async function findMissingKey(db: Db, among: string[] | null, known: string[]): Promise<string | undefined> {
  for (const sealed of ENCRYPTED_COLUMNS) {
    if (!(await columnExists(db, sealed))) continue
    const column = db(sealed.column)
    const [row] = await db<{ key_id: string }[]>`
      select key_id
      from ${db(sealed.table)}, encode(substring(${column} from 2 for ${KEY_ID_BYTES}), 'hex') as key_id
      where key_id = any(${among}::text[])
        or (${among}::text[] is null and key_id <> all(${known}::text[]) and octet_length(${column}) >= ${ENVELOPE_BYTES})
      limit 1`
    if (row) return row.key_id
  }
}

/** False on a database that is older than the column. */
const columnExists = async (db: Db, { table, column }: EncryptedColumn): Promise<boolean> =>
  (
    await db`
      select 1 from pg_attribute
      where attrelid = to_regclass(${table}) and attname = ${column} and not attisdropped`
  ).length > 0

/**
 * Checks the keys and takes possession, after the migrations: leaves the current key's own proof, forgets keys that are
 * not needed any more, and opens the database's secret for hashes, which the first start makes. One start after the
 * other, so that two that begin an empty database with different keys do not both succeed. Throws a MasterKeyError.
 */
export async function openKeyring(db: Pool, keys: MasterKeys): Promise<Keyring> {
  return db.begin(async (tx) => {
    // a look through everything that is sealed may take longer than a statement may otherwise
    await tx`set local statement_timeout = 0`
    await tx`set local lock_timeout = 0`
    await tx`lock table sealing_keys in share row exclusive mode`
    const unneeded = await verifyKeys(tx, keys)
    const id = currentKeyId(keys)
    const proof = encryptText(keys, proofAssociatedData(id), PROOF_TEXT)
    await tx`insert into sealing_keys (key_id, proof) values (${id}, ${proof}) on conflict do nothing`
    await tx`delete from sealing_keys where key_id = any(${unneeded}::text[])`
    return { ...keys, hashKey: await loadHashKey(tx, keys) }
  })
}

const SECRETS_COLUMN = ENCRYPTED_COLUMNS.find(({ table }) => table === 'sealing_secrets')!

async function loadHashKey(tx: Db, keys: MasterKeys): Promise<KeyObject> {
  const [row] = await tx<{ id: string; secret_sealed: Buffer }[]>`
    select id, secret_sealed from sealing_secrets where name = ${HASH_SECRET_NAME}`
  if (row) {
    try {
      return toSecretKey(decryptText(keys, associatedDataFor(SECRETS_COLUMN, row.id), row.secret_sealed))
    } catch (error) {
      if (!(error instanceof DecryptionError)) throw error
      throw new MasterKeyError(
        `${columnName(SECRETS_COLUMN)} was changed in the database; restore this row from a backup, or delete it`,
      )
    }
  }
  const [id, secret] = [newId(), pooledRandomBytes(HASH_SECRET_BYTES).toString('base64')]
  await tx`
    insert into sealing_secrets (id, name, secret_sealed)
    values (${id}, ${HASH_SECRET_NAME}, ${encryptText(keys, associatedDataFor(SECRETS_COLUMN, id), secret)})`
  return toSecretKey(secret)
}

const toSecretKey = (base64: string): KeyObject => createSecretKey(Buffer.from(base64, 'base64'))

/** Whether a server has started with the current key. Until then nothing may be sealed with it: no server could open it. */
export const isKeyInUse = async (db: Db, keys: MasterKeys): Promise<boolean> =>
  (await db`select 1 from sealing_keys where key_id = ${currentKeyId(keys)}`).length > 0
