import { imageFileName } from '../attachments/image-url.ts'
import type { AppContext } from '../context.ts'
import { MIN_UUID } from '../db/pagination.ts'
import type { Db } from '../db/pool.ts'
import { encryptedFileName } from '../documents/store-document.ts'
import { DecryptionError, decryptBytes } from '../encryption/envelope-encryption.ts'
import { DATA_KEY, decryptBoxes, decryptColumns, decryptRowCopy, fileData, type JsonRow } from './hold-encryption.ts'
import { findLiveRows, findTablesHeld, type HeldRecord, listHeldIds, listRecords } from './queries.ts'

const BATCH_SIZE = 200

/** One row of an export: `live` is still in its table. */
export type ExportedRow = { table: string; why: string; kept_at: string | null; row: JsonRow; file?: string }

type ExportContext = Pick<AppContext, 'db' | 'keyring' | 'files'>

/**
 * Reads everything a hold covers, decrypted: the copies of what is gone, and the rows that are still there.
 *
 * @param onFile takes one file after the other, which together may be more than memory has; null when one is missing or damaged
 */
export async function exportHold(
  context: ExportContext,
  holdId: string,
  onFile: (name: string, bytes: Buffer | null) => void,
): Promise<ExportedRow[]> {
  const { db, keyring } = context
  const rows: ExportedRow[] = []
  for (let after = MIN_UUID; ; ) {
    const records = await listRecords(db, holdId, after, BATCH_SIZE)
    for (const record of records) rows.push(decryptRecord(context, record))
    if (records.length < BATCH_SIZE) break
    after = records.at(-1)!.id
  }
  const live = await db.begin(async (tx) => {
    await tx.setStatementTimeout(0) // some of these columns have no index
    return readLiveRows(tx, holdId)
  })
  for (const { table, row } of live)
    rows.push({ table, why: 'live', kept_at: null, row: decryptColumns(keyring, table, row) })
  decryptBoxesOfOtherRows(rows)
  const names = new Set<string>()
  for (const exported of rows) {
    const stored = storedFile(exported)
    if (!stored || names.has(stored.name)) continue
    names.add(stored.name)
    exported.file = stored.name
    onFile(stored.name, await readFile(context, exported, stored.path))
  }
  for (const { row } of rows) delete row[DATA_KEY]
  return rows
}

const decryptRecord = ({ keyring }: ExportContext, record: HeldRecord): ExportedRow => ({
  table: record.table_name,
  why: record.why,
  kept_at: record.kept_at,
  row:
    record.row_encrypted === null
      ? decryptColumns(keyring, record.table_name, record.row ?? {})
      : decryptRowCopy(keyring, record.id, record.row_encrypted),
})

/** Reads the rows a hold covers that are still in their tables: whatever `keep_held` would copy (0057_holds.sql). */
async function readLiveRows(db: Db, holdId: string): Promise<{ table: string; row: JsonRow }[]> {
  const tables = await findTablesHeld(db)
  const ids = await listHeldIds(db, holdId)
  const found: { table: string; row: JsonRow }[] = []
  // twice: what belongs to a message or a case is found by its id
  for (let round = 0; round < 2; round++) {
    found.length = 0
    for (const { table, columns } of tables)
      for (const row of await findLiveRows(db, table, columns, ids)) found.push({ table, row })
    for (const { row } of found)
      for (const id of [row['id'], row['attachment_id']]) if (typeof id === 'string' && !ids.includes(id)) ids.push(id)
  }
  return found
}

/** Decrypts boxes whose key is another row's: the note of a report, the photos of a card. */
function decryptBoxesOfOtherRows(rows: ExportedRow[]): void {
  const keys = new Map(rows.map(({ table, row }) => [`${table}:${String(row['id'])}`, row[DATA_KEY]]))
  for (const { table, row } of rows) {
    const key = keys.get(
      table === 'reports' ? `report_cases:${String(row['case_id'])}` : `collision_cards:${String(row['card_id'])}`,
    )
    if (typeof key !== 'string') continue
    if (table === 'reports') decryptBoxes(row, key, (column) => ({ table, column, id: String(row['id']) }))
    if (table === 'collision_photos')
      decryptBoxes(row, key, (column) => ({
        table,
        column: `${column} ${String(row['place'])}`,
        id: String(row['card_id']),
      }))
  }
}

function storedFile({ table, row }: ExportedRow): { name: string; path: string } | null {
  if (table === 'attachments') return { name: `${String(row['id'])}.webp`, path: imageFileName(String(row['name'])) }
  if (table === 'dispute_documents') {
    const ending = row['kind'] === 'pdf' ? 'pdf' : 'webp'
    return { name: `${String(row['id'])}.${ending}`, path: encryptedFileName(String(row['file_name'])) }
  }
  return null
}

async function readFile({ files }: ExportContext, { table, row }: ExportedRow, path: string): Promise<Buffer | null> {
  const key = row[DATA_KEY]
  const encrypted = typeof key === 'string' ? await files.get(path) : null
  if (encrypted === null) return null
  try {
    return decryptBytes(Buffer.from(key as string, 'hex'), fileData(table, row), encrypted)
  } catch (error) {
    if (!(error instanceof DecryptionError)) throw error
    return null
  }
}
