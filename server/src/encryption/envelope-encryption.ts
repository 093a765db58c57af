import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'

/**
 * Encryption at rest (decision encryption-at-rest): AES-256-GCM (NIST SP 800-38D) under keys that are derived from a master key, which
 * never enters the database. Table, column and row of a value are authenticated with it, so that a value moved to another row
 * cannot be decrypted. Where a row says who may read it by referring to another row, that one is authenticated, too: pointing
 * the row elsewhere makes its value unreadable.
 *
 * value = version (1 byte) | id of the master key (8) | box
 * box   = nonce (12) | ciphertext | tag (16)
 *
 * An envelope is a value with a key in it, for boxes that are stored apart.
 */
const VERSION = 1
const KEY_ID_BYTES = 8
/** Version and key id. */
export const HEADER_BYTES = 1 + KEY_ID_BYTES
const NONCE_BYTES = 12
const TAG_BYTES = 16
const KEY_BYTES = 32
const BOX_OVERHEAD = NONCE_BYTES + TAG_BYTES
/** The length of an encrypted value of nothing. */
export const MIN_VALUE_BYTES = HEADER_BYTES + BOX_OVERHEAD
/** Bounds the derived keys a process holds: more than the columns have months that anybody looks at. */
const MAX_DERIVED_KEYS = 2000

/** The row and column an encrypted value belongs to, and for some columns a row that this row refers to. */
export type AssociatedData = { table: string; column: string; id: string; boundTo?: string }

type MasterKey = {
  secret: KeyObject
  /** How the values that it encrypts begin. */
  header: Buffer
  derived: Map<string, KeyObject>
}

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
    const header = Buffer.concat([Buffer.of(VERSION), deriveKeyId(secret)])
    return { secret: createSecretKey(secret), header, derived: new Map<string, KeyObject>() }
  })
  return { current: keys[0]!, byId: new Map(keys.map((key) => [keyIdOf(key.header), key])) }
}

/** Returns the id of the current key, in hexadecimal, as stored beside its proof. */
export const currentKeyId = ({ current }: MasterKeys): string => keyIdOf(current.header)

/** Returns the id of the key that encrypted a value. */
export const keyIdOf = (encrypted: Buffer): string => encrypted.toString('hex', 1, HEADER_BYTES)

/** Returns the month of a row, which its UUIDv7 begins with; of rows whose ids are to say no time there are few. */
function monthOf(id: string): string {
  if (id[14] !== '7') return ''
  const date = new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16))
  return `${date.getUTCFullYear()}-${date.getUTCMonth() + 1}`
}

/** Derives the key for the values of one column in rows of one month. */
function columnKey({ secret, derived }: MasterKey, { table, column, id }: AssociatedData): KeyObject {
  const name = `${table}.${column} ${monthOf(id)}`
  let key = derived.get(name)
  if (!key) {
    key = createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', `platenote values ${name}`, KEY_BYTES)))
    if (derived.size === MAX_DERIVED_KEYS) derived.clear()
    derived.set(name, key)
  }
  return key
}

const encodeAssociatedData = ({ table, column, id, boundTo }: AssociatedData) =>
  Buffer.from(boundTo === undefined ? `${table}.${column}:${id}` : `${table}.${column}:${id}:${boundTo}`)

/** Encrypts bytes with a key of their own. */
export function encryptBytes(key: Buffer | KeyObject, associatedData: AssociatedData, plain: Buffer): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(encodeAssociatedData(associatedData))
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

/** Decrypts the result of encryptBytes. Throws a DecryptionError. */
export function decryptBytes(key: Buffer | KeyObject, associatedData: AssociatedData, box: Buffer): Buffer {
  if (box.length < BOX_OVERHEAD) throw new DecryptionError('too short')
  const decipher = createDecipheriv('aes-256-gcm', key, box.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
  decipher.setAAD(encodeAssociatedData(associatedData)).setAuthTag(box.subarray(-TAG_BYTES))
  try {
    const plain = decipher.update(box.subarray(NONCE_BYTES, -TAG_BYTES))
    // compares the tag; there is never anything left, because GCM has no padding
    decipher.final()
    return plain
  } catch {
    throw new DecryptionError('changed or misplaced')
  }
}

const encryptValue = ({ current }: MasterKeys, associatedData: AssociatedData, plain: Buffer): Buffer =>
  Buffer.concat([current.header, encryptBytes(columnKey(current, associatedData), associatedData, plain)])

function decryptValue(keys: MasterKeys, associatedData: AssociatedData, encrypted: Buffer): Buffer {
  if (encrypted[0] !== VERSION) throw new DecryptionError('not an encrypted value')
  const key = keys.byId.get(keyIdOf(encrypted))
  if (!key) throw new DecryptionError('encrypted with a key this process does not have')
  return decryptBytes(columnKey(key, associatedData), associatedData, encrypted.subarray(HEADER_BYTES))
}

/** Encrypts a text for one column of one row. */
export const encryptText = (keys: MasterKeys, associatedData: AssociatedData, text: string): Buffer =>
  encryptValue(keys, associatedData, Buffer.from(text))

/** Decrypts a text. Throws a DecryptionError. */
export const decryptText = (keys: MasterKeys, associatedData: AssociatedData, encrypted: Buffer): string =>
  decryptValue(keys, associatedData, encrypted).toString()

/** Encrypts a value, a text or an envelope, with the current key. Throws a DecryptionError. */
export const reencrypt = (keys: MasterKeys, associatedData: AssociatedData, encrypted: Buffer): Buffer =>
  encryptValue(keys, associatedData, decryptValue(keys, associatedData, encrypted))

/**
 * Generates a key for boxes that are stored apart from their row, and its envelope. Files, the photos of a card, and evidence
 * with the comments that come later have such keys: changing the master key does not read and write them all again, and they are
 * gone for good with the one row. Of a note the key is only half: nobody but who has code and plate could encrypt it again.
 */
export function generateDataKey(
  keys: MasterKeys,
  associatedData: AssociatedData,
): { dataKey: Buffer; envelope: Buffer } {
  const dataKey = randomBytes(KEY_BYTES)
  return { dataKey, envelope: encryptValue(keys, associatedData, dataKey) }
}

/** Decrypts the key in an envelope. Throws a DecryptionError. */
export const unwrapDataKey = (keys: MasterKeys, associatedData: AssociatedData, envelope: Buffer): Buffer =>
  decryptValue(keys, associatedData, envelope)

/**
 * Hashes what a person wrote, to compare it with another text even after the master key was changed. The hash is keyed,
 * so that nobody who reads the database can test guesses.
 *
 * @param purpose makes hashes for different uses differ
 */
export const keyedHash = ({ hashKey }: Keyring, purpose: string, text: string): Buffer =>
  createHmac('sha256', hashKey).update(`${purpose}\0`).update(text).digest()
