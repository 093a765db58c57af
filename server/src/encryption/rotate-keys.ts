import { setTimeout as delay } from 'node:timers/promises'
import type { Db, Pool } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import { associatedDataFor, columnName, ENCRYPTED_COLUMNS, type EncryptedColumn } from './encrypted-columns.ts'
import {
  currentKeyId,
  DecryptionError,
  KEY_ID_BYTES,
  keyIdOf,
  type MasterKeys,
  rewrapDataKey,
} from './envelope-encryption.ts'
import { isKeyInUse, MasterKeyError } from './verify-keys.ts'

const ROWS_PER_BATCH = 200
const MIN_UUID = '00000000-0000-0000-0000-000000000000'
/** Rows that others hold are met again so soon … */
const RETRY_DELAY_MS = 500
/** … and so often, without any progress. */
const MAX_ATTEMPTS = 60
const PROGRESS_INTERVAL_ROWS = 10_000
const MAX_LISTED_IDS = 20

/** A value that could not be opened, and was left as it is. */
type UndecryptableValue = { id: string; keyId: string }

type RewrappedValue = { id: string; before: Buffer; after: Buffer }

/**
 * Wraps the data key of every sealed value anew with the current master key, beside running servers: a few rows at a
 * time, only rows nobody else holds at that moment, and only what was read is replaced. What is sealed with those data
 * keys, files among it, stays as it is. May be broken off and begun again at any time.
 *
 * Throws a MasterKeyError when no server has started with the current key: it could not read what is done here.
 *
 * @param print takes lines for people
 * @returns false when there are values it could not open; they are named and unchanged
 */
export async function rotateKeys(db: Pool, keys: MasterKeys, print: (line: string) => void): Promise<boolean> {
  if (!(await isKeyInUse(db, keys))) {
    throw new MasterKeyError(
      'no server has started with this MASTER_KEY yet; start all of them with it, and with the former key in MASTER_KEYS_OLD, then run this again',
    )
  }
  let complete = true
  for (const column of ENCRYPTED_COLUMNS) {
    const { wrapped, unopened } = await rotateColumn(db, keys, column, print)
    print(`${columnName(column)}: ${wrapped} wrapped anew`)
    for (const line of describeFailures(keys, column, unopened)) print(line)
    complete &&= unopened.length === 0
  }
  await printKeyUsage(db, keys, print)
  return complete
}

/** Goes through a column until nothing is left but what cannot be opened. */
async function rotateColumn(db: Pool, keys: MasterKeys, sealed: EncryptedColumn, print: (line: string) => void) {
  let wrapped = 0
  for (let attemptsLeft = MAX_ATTEMPTS; ; ) {
    const unopened: UndecryptableValue[] = []
    const before = wrapped
    for (let after: string | undefined = MIN_UUID; after !== undefined; ) {
      const batch = await rotateBatch(db, keys, sealed, after)
      if (
        Math.floor((wrapped + batch.wrapped) / PROGRESS_INTERVAL_ROWS) > Math.floor(wrapped / PROGRESS_INTERVAL_ROWS)
      ) {
        print(`${columnName(sealed)}: ${wrapped + batch.wrapped} so far`)
      }
      wrapped += batch.wrapped
      unopened.push(...batch.unopened)
      after = batch.last
    }
    const left = (await countOutdated(db, keys, sealed)) - unopened.length
    if (left <= 0) return { wrapped, unopened }
    attemptsLeft = wrapped > before ? MAX_ATTEMPTS : attemptsLeft - 1
    if (attemptsLeft === 0)
      throw new MasterKeyError(`${columnName(sealed)}: ${left} rows are held by others; run this again`)
    await delay(RETRY_DELAY_MS)
  }
}

/** One short transaction. `last` is where the next one begins, undefined at the end. */
const rotateBatch = (db: Pool, keys: MasterKeys, sealed: EncryptedColumn, after: string) =>
  inTransaction(db, async (tx) => {
    await tx`set local statement_timeout = 0` // from here to the next row there may be many that are done
    const rows = await tx<{ id: string; sealed: Buffer }[]>`
      select id, ${tx(sealed.column)} as sealed from ${tx(sealed.table)}
      where id > ${after} and substring(${tx(sealed.column)} from 2 for ${KEY_ID_BYTES}) <> ${keys.current.id}
      order by id
      limit ${ROWS_PER_BATCH}
      for no key update skip locked`
    const fresh: RewrappedValue[] = []
    const unopened: UndecryptableValue[] = []
    for (const row of rows) {
      try {
        fresh.push({
          id: row.id,
          before: row.sealed,
          after: rewrapDataKey(keys, associatedDataFor(sealed, row.id), row.sealed),
        })
      } catch (error) {
        if (!(error instanceof DecryptionError)) throw error
        unopened.push({ id: row.id, keyId: keyIdOf(row.sealed) })
      }
    }
    const wrapped = await replaceValues(tx, sealed, fresh)
    return { wrapped, unopened, last: rows.length === ROWS_PER_BATCH ? rows.at(-1)?.id : undefined }
  })

/** Object id of the type bytea: the driver cannot tell from an array of buffers that it is one. */
const BYTEA = 17

/** Writes only where the value is still the one that was read. */
async function replaceValues(tx: Db, { table, column }: EncryptedColumn, values: RewrappedValue[]): Promise<number> {
  if (values.length === 0) return 0
  const bytes = (of: 'before' | 'after') =>
    tx.array(
      values.map((value) => value[of]),
      BYTEA,
    )
  const { count } = await tx`
    update ${tx(table)} as held set ${tx(column)} = fresh.after
    from unnest(${values.map(({ id }) => id)}::uuid[], ${bytes('before')}::bytea[], ${bytes('after')}::bytea[])
      as fresh (id, before, after)
    where held.id = fresh.id and held.${tx(column)} = fresh.before`
  return count
}

const countOutdated = async (db: Pool, keys: MasterKeys, sealed: EncryptedColumn): Promise<number> => {
  const counts = await countByKey(db, sealed)
  return counts.filter(({ key_id }) => key_id !== currentKeyId(keys)).reduce((sum, { count }) => sum + count, 0)
}

/** How many values of a column each key seals. */
const countByKey = (db: Pool, { table, column }: EncryptedColumn) =>
  db.begin(async (tx) => {
    await tx`set local statement_timeout = 0`
    return tx<{ key_id: string; count: number }[]>`
      select encode(substring(${tx(column)} from 2 for ${KEY_ID_BYTES}), 'hex') as key_id, count(*)::int as count
      from ${tx(table)}
      where ${tx(column)} is not null
      group by 1`
  })

function* describeFailures(keys: MasterKeys, sealed: EncryptedColumn, unopened: UndecryptableValue[]) {
  for (const [keyId, rows] of Map.groupBy(unopened, (row) => row.keyId)) {
    const why = keys.byId.has(keyId)
      ? 'were changed in the database'
      : keyId.length === KEY_ID_BYTES * 2
        ? `are sealed with key ${keyId}, which MASTER_KEYS_OLD lacks`
        : 'are no sealed values'
    const ids = rows.slice(0, MAX_LISTED_IDS).map(({ id }) => id)
    const more = rows.length > MAX_LISTED_IDS ? ` and ${rows.length - MAX_LISTED_IDS} more` : ''
    yield `${columnName(sealed)}: left as they are, because they ${why}: ${ids.join(', ')}${more}`
  }
}

async function printKeyUsage(db: Pool, keys: MasterKeys, print: (line: string) => void) {
  const totals = new Map([...keys.byId.keys()].map((id) => [id, 0]))
  for (const sealed of ENCRYPTED_COLUMNS) {
    for (const { key_id, count } of await countByKey(db, sealed)) {
      totals.set(key_id, (totals.get(key_id) ?? 0) + count)
    }
  }
  for (const [keyId, count] of totals) {
    if (keyId === currentKeyId(keys)) print(`Key ${keyId} (MASTER_KEY) seals ${count} values.`)
    else if (count > 0) print(`Key ${keyId} still seals ${count} values: keep it in MASTER_KEYS_OLD.`)
    else print(`Key ${keyId} seals nothing any more: take it out of MASTER_KEYS_OLD and start all servers again.`)
  }
}
