import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'
import { pooledRandomBytes } from './random-bytes.ts'

/**
 * Sealing (decision 0058): AES-256-GCM (NIST SP 800-38D) with a data key for each row. The data key is wrapped by
 * a master key that never enters the database. What a sealed value belongs to (table, column, row) is authenticated
 * with it, so a value moved to another row does not open.
 *
 * envelope  = version (1 byte) | key id (8) | nonce (12) | wrapped data key (32) | tag (16)
 * box       = nonce (12) | ciphertext | tag (16)
 * sealed    = envelope | box
 */
const VERSION = 1
/** Of an envelope: behind the version, the name of the key. */
export const KEY_ID_BYTES = 8
const NONCE_BYTES = 12
const TAG_BYTES = 16
const DATA_KEY_BYTES = 32
const CIPHERTEXT_OVERHEAD = NONCE_BYTES + TAG_BYTES
export const ENVELOPE_BYTES = 1 + KEY_ID_BYTES + DATA_KEY_BYTES + CIPHERTEXT_OVERHEAD

/** What a sealed value belongs to. */
export type AssociatedData = { table: string; column: string; id: string }

type MasterKey = { id: Buffer; secret: KeyObject }

/** The master keys of this process: one seals, all open. */
export type MasterKeys = { current: MasterKey; byId: Map<string, MasterKey> }

/** The master keys, and the database's own secret for hashes, which outlives them. Opened by `openKeyring`. */
export type Keyring = MasterKeys & { hashKey: KeyObject }

/** A sealed value could not be opened: other key, changed bytes, or bytes of another row. */
export class DecryptionError extends Error {}

/** A key's public name, derived from the key: 16 hexadecimal digits. */
const deriveKeyId = (secret: Buffer) => Buffer.from(hkdfSync('sha256', secret, '', 'platenote key id', KEY_ID_BYTES))

/**
 * @param current the sealing key, 32 bytes in base64
 * @param old keys that still open what they sealed
 */
export function createMasterKeys(current: string, old: string[]): MasterKeys {
  const keys = [current, ...old].map((text) => {
    const secret = Buffer.from(text, 'base64')
    return { id: deriveKeyId(secret), secret: createSecretKey(secret) }
  })
  return { current: keys[0]!, byId: new Map(keys.map((key) => [key.id.toString('hex'), key])) }
}

/** The name of the key that seals now, as stored beside its proof. */
export const currentKeyId = ({ current }: MasterKeys): string => current.id.toString('hex')

const encodeAssociatedData = ({ table, column, id }: AssociatedData) => Buffer.from(`${table}.${column}:${id}`)

function encryptRaw(key: Buffer | KeyObject, plain: Buffer, bound: Buffer): Buffer {
  const nonce = pooledRandomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(bound)
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

function decryptRaw(key: Buffer | KeyObject, boxed: Buffer, bound: Buffer): Buffer {
  if (boxed.length < CIPHERTEXT_OVERHEAD) throw new DecryptionError('too short')
  const decipher = createDecipheriv('aes-256-gcm', key, boxed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
  decipher.setAAD(bound).setAuthTag(boxed.subarray(-TAG_BYTES))
  try {
    return Buffer.concat([decipher.update(boxed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()])
  } catch {
    throw new DecryptionError('changed or misplaced')
  }
}

/** A new data key and its envelope, for values stored apart from their envelope (files). */
export function generateDataKey(
  keys: MasterKeys,
  associatedData: AssociatedData,
): { dataKey: Buffer; envelope: Buffer } {
  const dataKey = pooledRandomBytes(DATA_KEY_BYTES)
  return { dataKey, envelope: wrapDataKey(keys, associatedData, dataKey) }
}

const wrapDataKey = ({ current: { id, secret } }: MasterKeys, associatedData: AssociatedData, dataKey: Buffer) =>
  Buffer.concat([Buffer.of(VERSION), id, encryptRaw(secret, dataKey, encodeAssociatedData(associatedData))])

/** Opens an envelope. Throws an DecryptionError. */
export function unwrapDataKey(keys: MasterKeys, associatedData: AssociatedData, envelope: Buffer): Buffer {
  if (envelope.length !== ENVELOPE_BYTES || envelope[0] !== VERSION) throw new DecryptionError('not an envelope')
  const key = keys.byId.get(keyIdOf(envelope))
  if (!key) throw new DecryptionError('sealed with a key this process does not have')
  return decryptRaw(key.secret, envelope.subarray(1 + KEY_ID_BYTES), encodeAssociatedData(associatedData))
}

/** The name of the key an envelope, or a text behind one, was sealed with. */
export const keyIdOf = (encrypted: Buffer): string => encrypted.toString('hex', 1, 1 + KEY_ID_BYTES)

/**
 * Wraps the data key of a sealed value with the current key; what it seals stays as it is. Throws an DecryptionError when
 * the value's own key is not among these, or its envelope was changed.
 *
 * @param encrypted an envelope, or a text behind one
 */
export function rewrapDataKey(keys: MasterKeys, associatedData: AssociatedData, encrypted: Buffer): Buffer {
  const dataKey = unwrapDataKey(keys, associatedData, encrypted.subarray(0, ENVELOPE_BYTES))
  return Buffer.concat([wrapDataKey(keys, associatedData, dataKey), encrypted.subarray(ENVELOPE_BYTES)])
}

/** Seals bytes under a data key of their own. */
export const encryptBytes = (dataKey: Buffer, associatedData: AssociatedData, plain: Buffer): Buffer =>
  encryptRaw(dataKey, plain, encodeAssociatedData(associatedData))

/** Opens what encryptBytes made. Throws an DecryptionError. */
export const decryptBytes = (dataKey: Buffer, associatedData: AssociatedData, boxed: Buffer): Buffer =>
  decryptRaw(dataKey, boxed, encodeAssociatedData(associatedData))

/** Seals a text for one column of one row. */
export function encryptText(keys: MasterKeys, associatedData: AssociatedData, text: string): Buffer {
  const { dataKey, envelope } = generateDataKey(keys, associatedData)
  return Buffer.concat([envelope, encryptBytes(dataKey, associatedData, Buffer.from(text))])
}

/** Opens a sealed text. Throws an DecryptionError. */
export function decryptText(keys: MasterKeys, associatedData: AssociatedData, encrypted: Buffer): string {
  const dataKey = unwrapDataKey(keys, associatedData, encrypted.subarray(0, ENVELOPE_BYTES))
  return decryptBytes(dataKey, associatedData, encrypted.subarray(ENVELOPE_BYTES)).toString()
}

/**
 * A hash of something people wrote, for telling whether two are equal, also after the master key was changed. Keyed, so
 * that whoever reads the database cannot try out texts.
 *
 * @param purpose keeps hashes of different uses apart
 */
export const keyedHash = ({ hashKey }: Keyring, purpose: string, text: string): Buffer =>
  createHmac('sha256', hashKey).update(`${purpose}\0`).update(text).digest()
