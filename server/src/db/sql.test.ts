import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestPool } from '../test/database.ts'
import { fieldsOf } from '../test/fields.ts'
import { openTestDatabase } from '../test/open-database.ts'
import { sqlState, violatedConstraint } from './pool.ts'
import { inTransaction } from './transaction.ts'

const { db, connection: databaseConnection } = await openTestDatabase(4)

test('a time comes back to the millisecond, whatever PostgreSQL writes of it', async () => {
  const cases = {
    '2026-11-22 12:34:56': '2026-11-22T12:34:56.000Z',
    '2026-11-22 12:34:56.7': '2026-11-22T12:34:56.700Z',
    '2026-11-22 12:34:56.000001': '2026-11-22T12:34:56.000Z',
    '2026-11-22 12:34:56.999999': '2026-11-22T12:34:56.999Z',
    '2026-11-22 12:34:56.05-03:30': '2026-11-22T16:04:56.050Z',
    '0001-01-01 00:00:00': '0001-01-01T00:00:00.000Z',
    '9999-12-31 23:59:59.5': '9999-12-31T23:59:59.500Z',
    '10000-01-01 00:00:00': '9999-12-31T23:59:59.999Z',
    '0002-01-01 00:00:00 BC': '0001-01-01T00:00:00.000Z',
    '-infinity': '0001-01-01T00:00:00.000Z',
  }
  const rows = await db<{ time: string }[]>`select t::timestamptz as time from unnest(${Object.keys(cases)}::text[]) t`
  assert.deepEqual(fieldsOf(rows, 'time'), Object.values(cases))
  await db.begin(async (tx) => {
    await tx`set local time zone 'America/Toronto'`
    const [row] = await tx<{ time: string }[]>`select '2026-11-22 12:34:56.789+00'::timestamptz as time`
    assert.equal(row?.time, '2026-11-22T12:34:56.789Z')
  })
})

test('arrays of any content arrive whole', async () => {
  const texts = ['', 'NULL', null, 'a,b', '{"}', '\\', `é "'\n 🚗`]
  const buffers = [Buffer.alloc(0), null, Buffer.from([0, 92, 34, 255])]
  const [row] = await db`
    select ${texts}::text[] as texts, ${buffers}::bytea[] as buffers, ${[-(2 ** 31), 0]}::int[] as numbers,
      ${[true, false]}::bool[] as flags, ${[texts]}::text[] as nested, ${[]}::text[] as nothing,
      array['2026-11-22 12:34:56+00'::timestamptz] as times`
  assert.deepEqual(row, {
    texts,
    buffers,
    numbers: [-(2 ** 31), 0],
    flags: [true, false],
    nested: [texts],
    nothing: [],
    times: ['2026-11-22T12:34:56.000Z'],
  })
})

test('a value is never text of the statement, and a forgotten one is refused', async () => {
  const hostile = `'; drop table things; --`
  assert.deepEqual(await db`select ${hostile} as text`, [{ text: hostile }])
  await assert.rejects(async () => db`select ${undefined as unknown as null}`, TypeError)
  await assert.rejects(async () => db`select ${{ a: 1 } as unknown as null}`, TypeError)
})

test('an error has its state and constraint, and names the code of its statement', async () => {
  await db`create table checked (n integer constraint positive check (n > 0))`
  const error = await db`insert into checked values (${-1})`.catch((thrown: unknown) => thrown)
  assert.deepEqual([sqlState(error), violatedConstraint(error)], ['23514', 'positive'])
  assert.match((error as Error).stack ?? '', /sql\.test\.ts/)
})

test('what a commit refuses is not reported as done', async () => {
  await db`create table pairs (n integer primary key, other integer references pairs deferrable initially deferred)`
  await assert.rejects(
    db.begin((tx) => tx`insert into pairs values (1, 2)`),
    (error) => sqlState(error) === '23503',
  )
  assert.deepEqual(await db`select n from pairs`, [])
})

test('all statements of a pipeline whose plans a migration made obsolete are planned again', async (t) => {
  const one = openTestPool(databaseConnection, 1)
  t.after(() => one.end({ timeout: 5 }))
  await one`create table piped_changing (a integer)`
  await one`insert into piped_changing values (1)`
  const read = () =>
    one.pipeline((pipe) =>
      Promise.all([pipe`select * from piped_changing`, pipe`select *, 'second' as name from piped_changing`]),
    )
  await read()
  await one`alter table piped_changing add column b integer`
  assert.deepEqual(await read(), [[{ a: 1, b: null }], [{ a: 1, b: null, name: 'second' }]])
})

test('of two transactions that deadlock one is run again, and both succeed', async () => {
  await db`create table done (who text primary key)`
  const both = Promise.withResolvers<void>()
  let locked = 0
  let runs = 0
  const lockTwo = (who: string, first: number, second: number) =>
    inTransaction(db, async (tx) => {
      runs++
      await tx`insert into done values (${who})`
      await tx`select pg_advisory_xact_lock(${first})`
      if (++locked === 2) both.resolve()
      await both.promise
      await tx`select pg_advisory_xact_lock(${second})`
      return who
    })

  assert.deepEqual(await Promise.all([lockTwo('a', 1, 2), lockTwo('b', 2, 1)]), ['a', 'b'])

  assert.equal(runs, 3)
  assert.deepEqual([...(await db`select who from done order by who`)], [{ who: 'a' }, { who: 'b' }])
})

test('a transaction that meets a plan which a migration made obsolete is run again, on every connection', async () => {
  await db`create table widened (a integer)`
  await db`insert into widened values (1)`
  const readOnAll = async () => {
    const all = Promise.withResolvers<void>()
    let runs = 0
    const rows = await Promise.all(
      Array.from({ length: 4 }, () =>
        inTransaction(db, async (tx) => {
          const found = await tx`select * from widened`
          if (++runs === 4) all.resolve()
          await all.promise
          return found
        }),
      ),
    )
    return rows.map((found) => [...found])
  }
  await readOnAll()
  await db`alter table widened add column b integer`
  assert.deepEqual(await readOnAll(), Array(4).fill([{ a: 1, b: null }]))
})

test('what a savepoint undid because of an obsolete plan is done after all', async (t) => {
  const one = openTestPool(databaseConnection, 1)
  t.after(() => one.end({ timeout: 5 }))
  await one`create table kept (n integer)`
  await one`create table inserted (a integer)`
  const insert = () =>
    inTransaction(one, async (tx) => {
      await tx`insert into kept values (2)`
      await tx.savepoint((inner) => inner`insert into inserted values (1) returning *`).catch(() => {})
    })
  await insert()
  await one`alter table inserted add column b integer`
  await insert()
  assert.equal((await one`select from inserted`).length, 2)
  assert.equal((await one`select from kept`).length, 2)
})
