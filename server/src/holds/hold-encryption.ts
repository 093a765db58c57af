import {
  associatedDataFor,
  columnName,
  ENCRYPTED_COLUMNS,
  type EncryptedColumn,
} from '../encryption/encrypted-columns.ts'
import {
  type AssociatedData,
  DecryptionError,
  decryptBytes,
  decryptText,
  encryptText,
  type Keyring,
  unwrapDataKey,
} from '../encryption/envelope-encryption.ts'

/** What an admin wrote when placing a hold, with the address of the account then; null: a plate is held. */
export type HoldTerms = { version: 1; email: string | null; reason: string; reference: string }

/** Returns the associated data of a text of a hold. */
export const holdTextData = (column: 'terms' | 'lift_reason', id: string): AssociatedData => ({
  table: 'holds',
  column,
  id,
})
const recordData = (id: string): AssociatedData => ({ table: 'held_records', column: 'row', id })

/** A row of the database as JSON; bytes are '\x' and hexadecimal digits. */
export type JsonRow = Record<string, unknown>

/** Encrypts the copy of a row. */
export const encryptRowCopy = (keyring: Keyring, id: string, row: JsonRow): Buffer =>
  encryptText(keyring, recordData(id), JSON.stringify(row))

/** Decrypts the copy of a row. Throws a DecryptionError. */
export const decryptRowCopy = (keyring: Keyring, id: string, encrypted: Buffer): JsonRow =>
  JSON.parse(decryptText(keyring, recordData(id), encrypted)) as JsonRow

const bytesOf = (value: unknown): Buffer | null =>
  typeof value === 'string' && value.startsWith('\\x') ? Buffer.from(value.slice(2), 'hex') : null
const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** The data key of what is stored apart from its row, under this name in a decrypted row. */
export const DATA_KEY = 'data_key'

/**
 * Decrypts what is encrypted in a row, so that its copy stays readable whatever becomes of the master key: texts under the name of
 * their column, data keys in hexadecimal, and boxes that this row has the key of. What cannot be decrypted stays as it is.
 *
 * @param table with its schema, unless that is 'public'
 */
export function decryptColumns(keyring: Keyring, table: string, row: JsonRow): JsonRow {
  const decrypted = { ...row }
  const id = textOf(row['id'])
  if (id === null) return decrypted
  for (const column of ENCRYPTED_COLUMNS.filter((one) => one.table === table)) {
    const encrypted = bytesOf(row[column.column])
    const data = encrypted && tryDecrypt(() => decryptColumn(keyring, column, id, row, encrypted))
    if (data === null) continue
    delete decrypted[column.column]
    decrypted[column.contents === 'text' ? column.associatedName : DATA_KEY] = data
  }
  const dataKey = textOf(decrypted[DATA_KEY])
  if (dataKey !== null) decryptBoxes(decrypted, dataKey, (column) => ({ table, column, id }))
  return decrypted
}

const decryptColumn = (keyring: Keyring, column: EncryptedColumn, id: string, row: JsonRow, encrypted: Buffer) => {
  const data = associatedDataFor(column, id, column.boundTo === undefined ? null : textOf(row[column.boundTo]))
  return column.contents === 'text'
    ? decryptText(keyring, data, encrypted)
    : unwrapDataKey(keyring, data, encrypted).toString('hex')
}

/** Decrypts the boxes of a row (`card_box` …) with a data key, in place: texts as they are, images in base64. */
export function decryptBoxes(row: JsonRow, dataKey: string, dataFor: (column: string) => AssociatedData): void {
  for (const [name, value] of Object.entries(row)) {
    const box = name.endsWith('_box') && bytesOf(value)
    if (!box) continue
    const column = name.slice(0, -'_box'.length)
    const bytes = tryDecrypt(() => decryptBytes(Buffer.from(dataKey, 'hex'), dataFor(column), box))
    if (bytes === null) continue
    delete row[name]
    row[column] = /^(?:image|photo)/.test(column) ? bytes.toString('base64') : bytes.toString()
  }
}

function tryDecrypt<T>(decrypt: () => T): T | null {
  try {
    return decrypt()
  } catch (error) {
    if (!(error instanceof DecryptionError)) throw error
    return null
  }
}

/** Returns the associated data of the file of a held image or document. */
export function fileData(table: string, row: JsonRow): AssociatedData {
  const column = ENCRYPTED_COLUMNS.find((one) => columnName(one) === `${table}.key_envelope`)!
  return associatedDataFor(column, String(row['id']), column.boundTo === undefined ? null : textOf(row[column.boundTo]))
}
