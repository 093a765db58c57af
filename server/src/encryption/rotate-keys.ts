import { setTimeout as delay } from 'node:timers/promises'
import { MIN_UUID } from '../db/pagination.ts'
import type { Db, Pool } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import { associatedDataFor, columnName, ENCRYPTED_COLUMNS, type EncryptedColumn } from './encrypted-columns.ts'
import {
  currentKeyId,
  DecryptionError,
  HEADER_BYTES,
  keyIdOf,
  type MasterKeys,
  reencrypt,
} from './envelope-encryption.ts'
import { isKeyInUse, MasterKeyError } from './verify-keys.ts'

const ROWS_PER_BATCH = 200
/** Waits this long before it tries rows again that others have locked … */
const RETRY_DELAY_MS = 500
/** … and gives up after this many tries without progress. */
const MAX_ATTEMPTS = 60
const PROGRESS_INTERVAL_ROWS = 10_000
const MAX_LISTED_IDS = 20

/** A value that could not be decrypted and was left as it is. */
type UndecryptableValue = { id: string; keyId: string }

type ReencryptedValue = { id: string; before: Buffer; after: Buffer }

/**
 * Encrypts every value of a former key with the current master key, while servers are running: a few rows
 * at a time, only rows that nobody else has locked, and only if the value is still the one that was read. What has a key of its
 * own, in an envelope, stays as it is. Can be interrupted and started again at any time.
 *
 * Throws a MasterKeyError when no server has started with the current key, and so none could read the result.
 *
 * @param print prints a line for the operator
 * @returns false when some values could not be decrypted; they are listed and left unchanged
 */
export async function rotateKeys(db: Pool, keys: MasterKeys, print: (line: string) => void): Promise<boolean> {
  if (!(await isKeyInUse(db, keys))) {
    throw new MasterKeyError(
      'no server has started with this MASTER_KEY yet; start all of them with it, and with the former key in MASTER_KEYS_OLD, then run this again',
    )
  }
  let complete = true
  for (const column of ENCRYPTED_COLUMNS) {
    const { done, undecryptable } = await rotateColumn(db, keys, column, print)
    print(`${columnName(column)}: ${done} encrypted anew`)
    for (const line of describeFailures(keys, column, undecryptable)) print(line)
    complete &&= undecryptable.length === 0
  }
  await printKeyUsage(db, keys, print)
  return complete
}

/** Encrypts a column anew until only values that cannot be decrypted are left. */
async function rotateColumn(db: Pool, keys: MasterKeys, column: EncryptedColumn, print: (line: string) => void) {
  let done = 0
  for (let attemptsLeft = MAX_ATTEMPTS; ; ) {
    const undecryptable: UndecryptableValue[] = []
    const before = done
    for (let after: string | undefined = MIN_UUID; after !== undefined; ) {
      const batch = await rotateBatch(db, keys, column, after)
      const steps = Math.floor(done / PROGRESS_INTERVAL_ROWS)
      done += batch.done
      if (Math.floor(done / PROGRESS_INTERVAL_ROWS) > steps) print(`${columnName(column)}: ${done} so far`)
      undecryptable.push(...batch.undecryptable)
      after = batch.last
    }
    const left = (await countOutdated(db, keys, column)) - undecryptable.length
    if (left <= 0) return { done, undecryptable }
    attemptsLeft = done > before ? MAX_ATTEMPTS : attemptsLeft - 1
    if (attemptsLeft === 0)
      throw new MasterKeyError(`${columnName(column)}: ${left} rows are held by others; run this again`)
    await delay(RETRY_DELAY_MS)
  }
}

/** Encrypts some rows anew in one short transaction. `last` is where the next one begins, undefined at the end. */
const rotateBatch = (db: Pool, keys: MasterKeys, column: EncryptedColumn, after: string) =>
  inTransaction(db, async (tx) => {
    await tx.setStatementTimeout(0) // there may be many rows that are done before the next one that is not
    const rows = await tx<{ id: string; value: Buffer; bound_to: string | null }[]>`
      select id, ${tx(column.column)} as value, ${column.boundTo === undefined ? tx`null` : tx(column.boundTo)} as bound_to
      from ${tx(column.table)}
      where id > ${after} and ${isOutdated(tx, keys, column)}
      order by id
      limit ${ROWS_PER_BATCH}
      for no key update skip locked`
    const values: ReencryptedValue[] = []
    const undecryptable: UndecryptableValue[] = []
    for (const { id, value, bound_to } of rows) {
      try {
        values.push({ id, before: value, after: reencrypt(keys, associatedDataFor(column, id, bound_to), value) })
      } catch (error) {
        if (!(error instanceof DecryptionError)) throw error
        undecryptable.push({ id, keyId: keyIdOf(value) })
      }
    }
    const done = await replaceValues(tx, column, values)
    return { done, undecryptable, last: rows.length === ROWS_PER_BATCH ? rows.at(-1)?.id : undefined }
  })

/** Replaces values that are still the ones that were read. Returns how many. */
async function replaceValues(tx: Db, { table, column }: EncryptedColumn, values: ReencryptedValue[]): Promise<number> {
  if (values.length === 0) return 0
  const bytes = (of: 'before' | 'after') => values.map((value) => value[of])
  const { count } = await tx`
    update ${tx(table)} as stored set ${tx(column)} = anew.after
    from unnest(${values.map(({ id }) => id)}::uuid[], ${bytes('before')}::bytea[], ${bytes('after')}::bytea[])
      as anew (id, before, after)
    where stored.id = anew.id and stored.${tx(column)} = anew.before`
  return count
}

/** Matches the values that another key encrypts. */
const isOutdated = (db: Db, keys: MasterKeys, { column }: EncryptedColumn) => db`
  substring(${db(column)} from 1 for ${HEADER_BYTES}) <> ${keys.current.header}`

const countOutdated = (db: Pool, keys: MasterKeys, column: EncryptedColumn): Promise<number> =>
  db.begin(async (tx) => {
    await tx.setStatementTimeout(0)
    const [row] = await tx<{ count: number }[]>`
      select count(*)::int as count from ${tx(column.table)} where ${isOutdated(tx, keys, column)}`
    return row!.count
  })

/** Counts the values of a column by the key they are encrypted with. */
const countByKey = (db: Pool, { table, column }: EncryptedColumn) =>
  db.begin(async (tx) => {
    await tx.setStatementTimeout(0)
    return tx<{ key_id: string; count: number }[]>`
      select encode(substring(${tx(column)} from 2 for ${HEADER_BYTES - 1}), 'hex') as key_id, count(*)::int as count
      from ${tx(table)}
      where ${tx(column)} is not null
      group by 1`
  })

function* describeFailures(keys: MasterKeys, column: EncryptedColumn, undecryptable: UndecryptableValue[]) {
  for (const [keyId, rows] of Map.groupBy(undecryptable, (row) => row.keyId)) {
    const why = keys.byId.has(keyId)
      ? 'were changed in the database'
      : keyId.length === currentKeyId(keys).length
        ? `are encrypted with key ${keyId}, which MASTER_KEYS_OLD lacks`
        : 'are no encrypted values'
    const ids = rows.slice(0, MAX_LISTED_IDS).map(({ id }) => id)
    const more = rows.length > MAX_LISTED_IDS ? ` and ${rows.length - MAX_LISTED_IDS} more` : ''
    yield `${columnName(column)}: left as they are, because they ${why}: ${ids.join(', ')}${more}`
  }
}

async function printKeyUsage(db: Pool, keys: MasterKeys, print: (line: string) => void) {
  const totals = new Map([...keys.byId.keys()].map((id) => [id, 0]))
  for (const column of ENCRYPTED_COLUMNS) {
    for (const { key_id, count } of await countByKey(db, column)) {
      totals.set(key_id, (totals.get(key_id) ?? 0) + count)
    }
  }
  for (const [keyId, count] of totals) {
    if (keyId === currentKeyId(keys)) print(`Key ${keyId} (MASTER_KEY) encrypts ${count} values.`)
    else if (count > 0) print(`Key ${keyId} still encrypts ${count} values: keep it in MASTER_KEYS_OLD.`)
    else print(`Key ${keyId} encrypts nothing any more: take it out of MASTER_KEYS_OLD and start all servers again.`)
  }
}
