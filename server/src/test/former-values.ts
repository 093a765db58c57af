import { createCipheriv, type KeyObject, randomBytes } from 'node:crypto'
import type { Db } from '../db/pool.ts'
import { associatedDataFor, ENCRYPTED_COLUMNS } from '../encryption/encrypted-columns.ts'
import {
  type AssociatedData,
  decryptText,
  encryptText,
  type MasterKeys,
  unwrapDataKey,
} from '../encryption/envelope-encryption.ts'

function encryptBox(key: Buffer | KeyObject, { table, column, id, boundTo }: AssociatedData, plain: Buffer): Buffer {
  const nonce = randomBytes(12)
  const row = `${table}.${column}:${id}${boundTo === undefined ? '' : `:${boundTo}`}`
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(row))
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

/** Wraps a key as version 0.2.0 did (`encryption/former-values.ts`). */
const wrapAsFormerly = ({ current }: MasterKeys, associatedData: AssociatedData, dataKey: Buffer): Buffer =>
  Buffer.concat([
    Buffer.of(associatedData.boundTo === undefined ? 1 : 2),
    current.header.subarray(1),
    encryptBox(current.secret, associatedData, dataKey),
  ])

/** Encrypts a text as version 0.2.0 did. */
export function encryptAsFormerly(keys: MasterKeys, associatedData: AssociatedData, text: string): Buffer {
  const dataKey = randomBytes(32)
  return Buffer.concat([
    wrapAsFormerly(keys, associatedData, dataKey),
    encryptBox(dataKey, associatedData, Buffer.from(text)),
  ])
}

/** Stores the images' links and the collisions of messages apart from their texts, as version 0.2.0 did. */
async function splitContents(db: Db, keys: MasterKeys): Promise<void> {
  const rows = await db<{ id: string; boundTo: string; value: Buffer; image: string | null }[]>`
    select id, addressed_to as "boundTo", content_encrypted as value, attachment_id as image from messages`
  for (const { id, boundTo, value, image } of rows) {
    const ref = { table: 'messages', id, boundTo }
    const [text, link, collision] = decryptText(keys, { ...ref, column: 'content' }, value).split('\0')
    await db`update messages set content_encrypted = ${encryptText(keys, { ...ref, column: 'content' }, text!)} where id = ${id}`
    if (link) {
      const encrypted = encryptText(keys, { table: 'attachments', column: 'link', id: image!, boundTo: id }, link)
      await db`update attachments set link_encrypted = ${encrypted} where id = ${image}`
    }
    if (collision) {
      const encrypted = encryptText(keys, { ...ref, column: 'collision' }, collision)
      await db`update messages set collision_encrypted = ${encrypted} where id = ${id}`
    }
  }
}

/** Encrypts everything in a small database as version 0.2.0 did. */
export async function encryptAllAsFormerly(db: Db, keys: MasterKeys): Promise<void> {
  await splitContents(db, keys)
  for (const column of ENCRYPTED_COLUMNS) {
    const rows = await db<{ id: string; value: Buffer; bound_to: string | null }[]>`
      select id, ${db(column.column)} as value, ${column.boundTo === undefined ? db`null` : db(column.boundTo)} as bound_to
      from ${db(column.table)} where ${db(column.column)} is not null`
    for (const { id, value, bound_to } of rows) {
      const associatedData = associatedDataFor(column, id, bound_to)
      const former =
        column.column === 'key_envelope'
          ? wrapAsFormerly(keys, associatedData, unwrapDataKey(keys, associatedData, value))
          : encryptAsFormerly(keys, associatedData, decryptText(keys, associatedData, value))
      await db`update ${db(column.table)} set ${db(column.column)} = ${former} where id = ${id}`
    }
  }
}
