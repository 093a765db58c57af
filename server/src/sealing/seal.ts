import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'
import { freshRandom } from '../random.ts'

/**
 * Sealing (design decision 13): AES-256-GCM (NIST SP 800-38D) with a data key for each row. The data key is wrapped by
 * a master key that never enters the database. What a sealed value belongs to (table, column, row) is authenticated
 * with it, so a value moved to another row does not open.
 *
 * envelope  = version (1 byte) | key id (8) | nonce (12) | wrapped data key (32) | tag (16)
 * box       = nonce (12) | ciphertext | tag (16)
 * sealed    = envelope | box
 */
const VERSION = 1
const KEY_ID_BYTES = 8
const NONCE_BYTES = 12
const TAG_BYTES = 16
const DATA_KEY_BYTES = 32
const BOX_OVERHEAD = NONCE_BYTES + TAG_BYTES
const ENVELOPE_BYTES = 1 + KEY_ID_BYTES + DATA_KEY_BYTES + BOX_OVERHEAD

/** What a sealed value belongs to. */
export type Place = { table: string; column: string; id: string }

type MasterKey = { id: Buffer; secret: KeyObject }

/** The master keys of this process: one seals, all open. */
export type Keyring = { current: MasterKey; byId: Map<string, MasterKey> }

/** A sealed value could not be opened: other key, changed bytes, or bytes of another row. */
export class UnsealError extends Error {}

/** A key's public name, derived from the key: 16 hexadecimal digits. */
const keyId = (secret: Buffer) => Buffer.from(hkdfSync('sha256', secret, '', 'platenote key id', KEY_ID_BYTES))

/**
 * @param current the sealing key, 32 bytes in base64
 * @param old keys that still open what they sealed
 */
export function makeKeyring(current: string, old: string[]): Keyring {
  const keys = [current, ...old].map((text) => {
    const secret = Buffer.from(text, 'base64')
    return { id: keyId(secret), secret: createSecretKey(secret) }
  })
  return { current: keys[0]!, byId: new Map(keys.map((key) => [key.id.toString('hex'), key])) }
}

/** The name of the key that seals now, as stored beside its proof. */
export const currentKeyId = (keyring: Keyring): string => keyring.current.id.toString('hex')

const aad = ({ table, column, id }: Place) => Buffer.from(`${table}.${column}:${id}`)

function box(key: Buffer | KeyObject, plain: Buffer, bound: Buffer): Buffer {
  const nonce = freshRandom(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(bound)
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

function unbox(key: Buffer | KeyObject, boxed: Buffer, bound: Buffer): Buffer {
  if (boxed.length < BOX_OVERHEAD) throw new UnsealError('too short')
  const decipher = createDecipheriv('aes-256-gcm', key, boxed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
  decipher.setAAD(bound).setAuthTag(boxed.subarray(-TAG_BYTES))
  try {
    return Buffer.concat([decipher.update(boxed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()])
  } catch {
    throw new UnsealError('changed or misplaced')
  }
}

/** A new data key and its envelope, for values stored apart from their envelope (files). */
export function newDataKey(keyring: Keyring, place: Place): { dataKey: Buffer; envelope: Buffer } {
  const dataKey = freshRandom(DATA_KEY_BYTES)
  const { id, secret } = keyring.current
  return { dataKey, envelope: Buffer.concat([Buffer.of(VERSION), id, box(secret, dataKey, aad(place))]) }
}

/** Opens an envelope. Throws an UnsealError. */
export function openEnvelope(keyring: Keyring, place: Place, envelope: Buffer): Buffer {
  if (envelope.length !== ENVELOPE_BYTES || envelope[0] !== VERSION) throw new UnsealError('not an envelope')
  const key = keyring.byId.get(envelope.toString('hex', 1, 1 + KEY_ID_BYTES))
  if (!key) throw new UnsealError('sealed with a key this process does not have')
  return unbox(key.secret, envelope.subarray(1 + KEY_ID_BYTES), aad(place))
}

/** Seals bytes under a data key of their own. */
export const sealBytes = (dataKey: Buffer, place: Place, plain: Buffer): Buffer => box(dataKey, plain, aad(place))

/** Opens what sealBytes made. Throws an UnsealError. */
export const openBytes = (dataKey: Buffer, place: Place, boxed: Buffer): Buffer => unbox(dataKey, boxed, aad(place))

/** Seals a text for one column of one row. */
export function sealText(keyring: Keyring, place: Place, text: string): Buffer {
  const { dataKey, envelope } = newDataKey(keyring, place)
  return Buffer.concat([envelope, sealBytes(dataKey, place, Buffer.from(text))])
}

/** Opens a sealed text. Throws an UnsealError. */
export function openText(keyring: Keyring, place: Place, sealed: Buffer): string {
  const dataKey = openEnvelope(keyring, place, sealed.subarray(0, ENVELOPE_BYTES))
  return openBytes(dataKey, place, sealed.subarray(ENVELOPE_BYTES)).toString()
}

/**
 * A hash of something people wrote, for telling whether two are equal. Keyed, so that whoever reads the database cannot
 * try out texts.
 *
 * @param purpose keeps hashes of different uses apart
 */
export const keyedHash = ({ current }: Keyring, purpose: string, text: string): Buffer =>
  createHmac('sha256', current.secret).update(`${purpose}\0`).update(text).digest()
