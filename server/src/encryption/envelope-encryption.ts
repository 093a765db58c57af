import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomFillSync,
} from 'node:crypto'

const POOL_BYTES = 8 * 1024

// asking the system for a few bytes at a time costs more than encrypting with them
const pool = Buffer.alloc(POOL_BYTES)
let offset = POOL_BYTES

/**
 * Returns random bytes fit for keys and nonces, at most a few dozen per call. Hands out each byte once, and erases it
 * from the pool immediately.
 */
export function pooledRandomBytes(size: number): Buffer {
  if (offset + size > POOL_BYTES) {
    randomFillSync(pool)
    offset = 0
  }
  const bytes = Buffer.from(pool.subarray(offset, offset + size))
  pool.fill(0, offset, offset + size)
  offset += size
  return bytes
}

/**
 * Encryption at rest (decision encryption-at-rest): AES-256-GCM (NIST SP 800-38D) with a data key for each row. The data key is
 * wrapped by a master key that never enters the database. Table, column and row of a value are authenticated with it,
 * so that a value moved to another row cannot be decrypted. Where a row says who may read it by referring to another row,
 * that one is authenticated, too: pointing the row elsewhere makes its value unreadable.
 *
 * envelope  = version (1 byte) | key id (8) | nonce (12) | wrapped data key (32) | tag (16)
 * box       = nonce (12) | ciphertext | tag (16)
 * encrypted = envelope | box
 */
export const UNBOUND = 1
/** Also bound to the row that `boundTo` names. */
const BOUND = 2
/** The key id follows the version. */
export const KEY_ID_BYTES = 8
const NONCE_BYTES = 12
const TAG_BYTES = 16
const DATA_KEY_BYTES = 32
const CIPHERTEXT_OVERHEAD = NONCE_BYTES + TAG_BYTES
export const ENVELOPE_BYTES = 1 + KEY_ID_BYTES + DATA_KEY_BYTES + CIPHERTEXT_OVERHEAD

/** The row and column an encrypted value belongs to, and for some columns a row that this row refers to. */
export type AssociatedData = { table: string; column: string; id: string; boundTo?: string }

type MasterKey = { id: Buffer; secret: KeyObject }

/** The master keys of this process: the current one encrypts, all of them decrypt. */
export type MasterKeys = { current: MasterKey; byId: Map<string, MasterKey> }

/** The master keys, and the database's own secret for hashes, which outlives them; see `openKeyring`. */
export type Keyring = MasterKeys & { hashKey: KeyObject }

/** A value could not be decrypted: it needs another key, was changed, or is another row's. */
export class DecryptionError extends Error {}

/** Derives the public id of a key. */
const deriveKeyId = (secret: Buffer) => Buffer.from(hkdfSync('sha256', secret, '', 'platenote key id', KEY_ID_BYTES))

/**
 * Creates the master keys from the settings.
 *
 * @param current the key that encrypts, 32 bytes in base64
 * @param old keys that still decrypt what they encrypted
 */
export function createMasterKeys(current: string, old: string[]): MasterKeys {
  const keys = [current, ...old].map((text) => {
    const secret = Buffer.from(text, 'base64')
    return { id: deriveKeyId(secret), secret: createSecretKey(secret) }
  })
  return { current: keys[0]!, byId: new Map(keys.map((key) => [key.id.toString('hex'), key])) }
}

/** Returns the id of the current key, in hexadecimal, as stored beside its proof. */
export const currentKeyId = ({ current }: MasterKeys): string => current.id.toString('hex')

const versionOf = ({ boundTo }: AssociatedData) => (boundTo === undefined ? UNBOUND : BOUND)

const encodeAssociatedData = ({ table, column, id, boundTo }: AssociatedData) =>
  Buffer.from(boundTo === undefined ? `${table}.${column}:${id}` : `${table}.${column}:${id}:${boundTo}`)

/**
 * Returns what a stored value was bound to, encoded. Values of a column that was not bound when they were written are still
 * readable; `platenote rotate-keys` binds them (decision encryption-at-rest).
 */
function encodeStoredData({ boundTo, ...row }: AssociatedData, encrypted: Buffer): Buffer {
  if (encrypted[0] === UNBOUND) return encodeAssociatedData(row)
  if (encrypted[0] !== BOUND || boundTo === undefined) throw new DecryptionError('not an envelope')
  return encodeAssociatedData({ ...row, boundTo })
}

/** Returns whether a value is still without the binding that its column has. */
const lacksBinding = (associatedData: AssociatedData, encrypted: Buffer): boolean =>
  versionOf(associatedData) === BOUND && encrypted[0] === UNBOUND

function encryptRaw(key: Buffer | KeyObject, plain: Buffer, associated: Buffer): Buffer {
  const nonce = pooledRandomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(associated)
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

function decryptRaw(key: Buffer | KeyObject, box: Buffer, associated: Buffer): Buffer {
  if (box.length < CIPHERTEXT_OVERHEAD) throw new DecryptionError('too short')
  const decipher = createDecipheriv('aes-256-gcm', key, box.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
  decipher.setAAD(associated).setAuthTag(box.subarray(-TAG_BYTES))
  try {
    const plain = decipher.update(box.subarray(NONCE_BYTES, -TAG_BYTES))
    // compares the tag; there is never anything left, because GCM has no padding
    decipher.final()
    return plain
  } catch {
    throw new DecryptionError('changed or misplaced')
  }
}

/** Generates a data key and its envelope, for values that are stored apart from it (files). */
export function generateDataKey(
  keys: MasterKeys,
  associatedData: AssociatedData,
): { dataKey: Buffer; envelope: Buffer } {
  const dataKey = pooledRandomBytes(DATA_KEY_BYTES)
  return { dataKey, envelope: wrapDataKey(keys, associatedData, dataKey) }
}

const wrapDataKey = ({ current: { id, secret } }: MasterKeys, associatedData: AssociatedData, dataKey: Buffer) =>
  Buffer.concat([
    Buffer.of(versionOf(associatedData)),
    id,
    encryptRaw(secret, dataKey, encodeAssociatedData(associatedData)),
  ])

function unwrapRaw(keys: MasterKeys, envelope: Buffer, associated: Buffer): Buffer {
  if (envelope.length !== ENVELOPE_BYTES) throw new DecryptionError('not an envelope')
  const key = keys.byId.get(keyIdOf(envelope))
  if (!key) throw new DecryptionError('encrypted with a key this process does not have')
  return decryptRaw(key.secret, envelope.subarray(1 + KEY_ID_BYTES), associated)
}

/** Decrypts the data key of an envelope. Throws a DecryptionError. */
export const unwrapDataKey = (keys: MasterKeys, associatedData: AssociatedData, envelope: Buffer): Buffer =>
  unwrapRaw(keys, envelope, encodeStoredData(associatedData, envelope))

/** Returns the id of the key that wrapped an envelope, or the envelope of an encrypted text. */
export const keyIdOf = (encrypted: Buffer): string => encrypted.toString('hex', 1, 1 + KEY_ID_BYTES)

/**
 * Wraps the data key of a value with the current key; the text stays encrypted as it is, unless it still has to be bound.
 * Throws a DecryptionError when the value's key is not one of these, or its envelope was changed.
 *
 * @param encrypted an envelope, alone or before an encrypted text
 */
export function rewrapDataKey(keys: MasterKeys, associatedData: AssociatedData, encrypted: Buffer): Buffer {
  if (lacksBinding(associatedData, encrypted))
    return encryptText(keys, associatedData, decryptText(keys, associatedData, encrypted))
  const dataKey = unwrapDataKey(keys, associatedData, encrypted.subarray(0, ENVELOPE_BYTES))
  return Buffer.concat([wrapDataKey(keys, associatedData, dataKey), encrypted.subarray(ENVELOPE_BYTES)])
}

/** Encrypts bytes with a data key of their own. */
export const encryptBytes = (dataKey: Buffer, associatedData: AssociatedData, plain: Buffer): Buffer =>
  encryptRaw(dataKey, plain, encodeAssociatedData(associatedData))

/** Decrypts the result of encryptBytes. Throws a DecryptionError. */
export const decryptBytes = (dataKey: Buffer, associatedData: AssociatedData, box: Buffer): Buffer =>
  decryptRaw(dataKey, box, encodeAssociatedData(associatedData))

/** Encrypts a text for one column of one row. */
export function encryptText(keys: MasterKeys, associatedData: AssociatedData, text: string): Buffer {
  const { dataKey, envelope } = generateDataKey(keys, associatedData)
  return Buffer.concat([envelope, encryptBytes(dataKey, associatedData, Buffer.from(text))])
}

/** Decrypts a text. Throws a DecryptionError. */
export function decryptText(keys: MasterKeys, associatedData: AssociatedData, encrypted: Buffer): string {
  const associated = encodeStoredData(associatedData, encrypted)
  const dataKey = unwrapRaw(keys, encrypted.subarray(0, ENVELOPE_BYTES), associated)
  return decryptRaw(dataKey, encrypted.subarray(ENVELOPE_BYTES), associated).toString()
}

/**
 * Hashes what a person wrote, to compare it with another text even after the master key was changed. The hash is keyed,
 * so that nobody who reads the database can test guesses.
 *
 * @param purpose makes hashes for different uses differ
 */
export const keyedHash = ({ hashKey }: Keyring, purpose: string, text: string): Buffer =>
  createHmac('sha256', hashKey).update(`${purpose}\0`).update(text).digest()
