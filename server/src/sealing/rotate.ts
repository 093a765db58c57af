import { setTimeout as delay } from 'node:timers/promises'
import type { Db, Pool } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import { nameOf, placeIn, SEALED_COLUMNS, type SealedColumn } from './columns.ts'
import { isKnownKey, KeyError } from './key-check.ts'
import { currentKeyId, KEY_ID_BYTES, keyIdOf, type MasterKeys, rewrap, UnsealError } from './seal.ts'

const ROWS_AT_ONCE = 200
const FIRST_ID = '00000000-0000-0000-0000-000000000000'
/** Rows that others hold are met again so soon … */
const AGAIN_AFTER_MS = 500
/** … and so often, without any progress. */
const PATIENCE = 60
const PROGRESS_EVERY = 10_000
const IDS_SHOWN = 20

/** A value that could not be opened, and was left as it is. */
type Unopened = { id: string; keyId: string }

type Wrapped = { id: string; before: Buffer; after: Buffer }

/**
 * Wraps the data key of every sealed value anew with the current master key, beside running servers: a few rows at a
 * time, only rows nobody else holds at that moment, and only what was read is replaced. What is sealed with those data
 * keys, files among it, stays as it is. May be broken off and begun again at any time.
 *
 * Throws a KeyError when no server has started with the current key: it could not read what is done here.
 *
 * @param say takes lines for people
 * @returns false when there are values it could not open; they are named and unchanged
 */
export async function rotateKeys(db: Pool, keys: MasterKeys, say: (line: string) => void): Promise<boolean> {
  if (!(await isKnownKey(db, keys))) {
    throw new KeyError(
      'no server has started with this MASTER_KEY yet; start all of them with it, and with the former key in MASTER_KEYS_OLD, then run this again',
    )
  }
  let whole = true
  for (const sealed of SEALED_COLUMNS) {
    const { wrapped, unopened } = await rotateColumn(db, keys, sealed, say)
    say(`${nameOf(sealed)}: ${wrapped} wrapped anew`)
    for (const line of complaints(keys, sealed, unopened)) say(line)
    whole &&= unopened.length === 0
  }
  await sayWhatIsNeeded(db, keys, say)
  return whole
}

/** Goes through a column until nothing is left but what cannot be opened. */
async function rotateColumn(db: Pool, keys: MasterKeys, sealed: SealedColumn, say: (line: string) => void) {
  let wrapped = 0
  for (let patience = PATIENCE; ; ) {
    const unopened: Unopened[] = []
    const before = wrapped
    for (let after: string | undefined = FIRST_ID; after !== undefined; ) {
      const batch = await rotateBatch(db, keys, sealed, after)
      if (Math.floor((wrapped + batch.wrapped) / PROGRESS_EVERY) > Math.floor(wrapped / PROGRESS_EVERY)) {
        say(`${nameOf(sealed)}: ${wrapped + batch.wrapped} so far`)
      }
      wrapped += batch.wrapped
      unopened.push(...batch.unopened)
      after = batch.last
    }
    const left = (await countOthers(db, keys, sealed)) - unopened.length
    if (left <= 0) return { wrapped, unopened }
    patience = wrapped > before ? PATIENCE : patience - 1
    if (patience === 0) throw new KeyError(`${nameOf(sealed)}: ${left} rows are held by others; run this again`)
    await delay(AGAIN_AFTER_MS)
  }
}

/** One short transaction. `last` is where the next one begins, undefined at the end. */
const rotateBatch = (db: Pool, keys: MasterKeys, sealed: SealedColumn, after: string) =>
  inTransaction(db, async (tx) => {
    await tx`set local statement_timeout = 0` // from here to the next row there may be many that are done
    const rows = await tx<{ id: string; sealed: Buffer }[]>`
      select id, ${tx(sealed.column)} as sealed from ${tx(sealed.table)}
      where id > ${after} and substring(${tx(sealed.column)} from 2 for ${KEY_ID_BYTES}) <> ${keys.current.id}
      order by id
      limit ${ROWS_AT_ONCE}
      for no key update skip locked`
    const fresh: Wrapped[] = []
    const unopened: Unopened[] = []
    for (const row of rows) {
      try {
        fresh.push({ id: row.id, before: row.sealed, after: rewrap(keys, placeIn(sealed, row.id), row.sealed) })
      } catch (error) {
        if (!(error instanceof UnsealError)) throw error
        unopened.push({ id: row.id, keyId: keyIdOf(row.sealed) })
      }
    }
    const wrapped = await replaceValues(tx, sealed, fresh)
    return { wrapped, unopened, last: rows.length === ROWS_AT_ONCE ? rows.at(-1)?.id : undefined }
  })

/** Object id of the type bytea: the driver cannot tell from an array of buffers that it is one. */
const BYTEA = 17

/** Writes only where the value is still the one that was read. */
async function replaceValues(tx: Db, { table, column }: SealedColumn, values: Wrapped[]): Promise<number> {
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

const countOthers = async (db: Pool, keys: MasterKeys, sealed: SealedColumn): Promise<number> => {
  const counts = await countByKey(db, sealed)
  return counts.filter(({ key_id }) => key_id !== currentKeyId(keys)).reduce((sum, { count }) => sum + count, 0)
}

/** How many values of a column each key seals. */
const countByKey = (db: Pool, { table, column }: SealedColumn) =>
  db.begin(async (tx) => {
    await tx`set local statement_timeout = 0`
    return tx<{ key_id: string; count: number }[]>`
      select encode(substring(${tx(column)} from 2 for ${KEY_ID_BYTES}), 'hex') as key_id, count(*)::int as count
      from ${tx(table)}
      where ${tx(column)} is not null
      group by 1`
  })

function* complaints(keys: MasterKeys, sealed: SealedColumn, unopened: Unopened[]) {
  for (const [keyId, rows] of Map.groupBy(unopened, (row) => row.keyId)) {
    const why = keys.byId.has(keyId)
      ? 'were changed in the database'
      : keyId.length === KEY_ID_BYTES * 2
        ? `are sealed with key ${keyId}, which MASTER_KEYS_OLD lacks`
        : 'are no sealed values'
    const ids = rows.slice(0, IDS_SHOWN).map(({ id }) => id)
    const more = rows.length > IDS_SHOWN ? ` and ${rows.length - IDS_SHOWN} more` : ''
    yield `${nameOf(sealed)}: left as they are, because they ${why}: ${ids.join(', ')}${more}`
  }
}

async function sayWhatIsNeeded(db: Pool, keys: MasterKeys, say: (line: string) => void) {
  const totals = new Map([...keys.byId.keys()].map((id) => [id, 0]))
  for (const sealed of SEALED_COLUMNS) {
    for (const { key_id, count } of await countByKey(db, sealed)) {
      totals.set(key_id, (totals.get(key_id) ?? 0) + count)
    }
  }
  for (const [keyId, count] of totals) {
    if (keyId === currentKeyId(keys)) say(`Key ${keyId} (MASTER_KEY) seals ${count} values.`)
    else if (count > 0) say(`Key ${keyId} still seals ${count} values: keep it in MASTER_KEYS_OLD.`)
    else say(`Key ${keyId} seals nothing any more: take it out of MASTER_KEYS_OLD and start all servers again.`)
  }
}
