import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createTestDatabase } from '../test/database.ts'
import { fieldsOf } from '../test/fields.ts'
import { openPool, sqlState, violatedConstraint } from './pool.ts'

const database = await createTestDatabase()
const db = openPool(database.connection, 4)
after(async () => {
  await db.end({ timeout: 5 })
  await database.drop()
})

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

test('values of every type arrive as they were sent, and come back as the contract has them', async () => {
  const bytes = Buffer.from([0, 255, 92, 34])
  const time = '2026-11-22T12:34:56.789Z'
  const [row] = await db`
    select ${'é "\\'}::text as text, ${42}::int as int, ${1.5}::float8 as float, ${2n ** 62n}::int8 as big, ${true} as yes,
      ${new Date(time)} as date, ${time}::timestamptz as time, ${bytes} as bytes, ${new Uint8Array([1, 2])} as view,
      ${db.json({ a: [1, null, 'x"'] })}::jsonb as json, ${db.json('text')}::jsonb as json_text, ${null}::uuid as nothing,
      ${'0197a6d0-0000-7000-8000-000000000001'}::uuid as id, 'infinity'::timestamptz as never`
  assert.deepEqual(row, {
    text: 'é "\\',
    int: 42,
    float: 1.5,
    big: String(2n ** 62n),
    yes: true,
    date: time,
    time,
    bytes,
    view: Buffer.from([1, 2]),
    json: { a: [1, null, 'x"'] },
    json_text: 'text',
    nothing: null,
    id: '0197a6d0-0000-7000-8000-000000000001',
    never: '9999-12-31T23:59:59.999Z',
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

test('names, rows and parts of a statement are put in where they stand', async () => {
  await db`create table things (id integer primary key, "odd name" text, data jsonb)`
  const rows = [
    { id: 1, 'odd name': 'a', data: db.json([1]) },
    { id: 2, 'odd name': `b'"`, data: null },
  ]
  assert.equal((await db`insert into ${db('things')} ${db(rows)}`).count, 2)
  assert.equal((await db`insert into public.things ${db({ id: 3, 'odd name': 'c' })}`).count, 1)
  const narrowed = (from: number) => db`where id >= ${from} ${from > 1 ? db`and id in (2, 4)` : db``}`
  const read = (from: number) =>
    db<{ id: number }[]>`select id from things ${narrowed(from)} order by ${db('things.id')}`
  assert.deepEqual(await read(1), [{ id: 1 }, { id: 2 }, { id: 3 }])
  assert.deepEqual(await read(2), [{ id: 2 }])
  const changed = await db`update things set ${db('odd name')} = 'd', data = ${db.json({})} where id > ${1} returning *`
  assert.deepEqual(changed[0], { id: 2, 'odd name': 'd', data: {} })
  assert.deepEqual([changed.count, changed.command], [2, 'UPDATE'])
})

test('a value is never text of the statement, and a forgotten one is refused', async () => {
  const hostile = `'; drop table things; --`
  assert.deepEqual(await db`select ${hostile} as text`, [{ text: hostile }])
  await assert.rejects(async () => db`select ${undefined as unknown as null}`, TypeError)
  await assert.rejects(async () => db`select ${{ a: 1 } as unknown as null}`, TypeError)
})

test('a statement runs when it is awaited, and once', async () => {
  await db`create table runs (n integer)`
  const never = db`insert into runs values (1)`
  const once = db`insert into runs values (2)`
  await Promise.all([once, once.then(() => {}), once])
  assert.deepEqual(await db`select n from runs`, [{ n: 2 }])
  assert.ok(never)
})

test('an error has its state and constraint, and names the code of its statement', async () => {
  await db`create table checked (n integer constraint positive check (n > 0))`
  const error = await db`insert into checked values (${-1})`.catch((thrown: unknown) => thrown)
  assert.deepEqual([sqlState(error), violatedConstraint(error)], ['23514', 'positive'])
  assert.match((error as Error).stack ?? '', /sql\.test\.ts/)
})

test('one text is prepared once on a connection, whatever its values are', async () => {
  const connection = await db.reserve()
  for (const n of [1, 2, 3]) await connection`select ${n}::int as only_here`
  const [{ times } = { times: 0 }] = await connection<{ times: number }[]>`
    select count(*)::int as times from pg_prepared_statements where statement like '%only_here' and statement not like '%times%'`
  connection.release()
  assert.equal(times, 1)
})

test('what a commit refuses is not reported as done', async () => {
  await db`create table pairs (n integer primary key, other integer references pairs deferrable initially deferred)`
  await assert.rejects(
    db.begin((tx) => tx`insert into pairs values (1, 2)`),
    (error) => sqlState(error) === '23503',
  )
  assert.deepEqual(await db`select n from pairs`, [])
})

test('the statements of a pipeline share a connection, and one that fails undoes no other', async (t) => {
  const one = openPool(database.connection, 1)
  t.after(() => one.end({ timeout: 5 }))
  await one`create table piped (n integer)`
  const [failure, inserted, read] = await one.pipeline((pipe) =>
    Promise.all([
      pipe`select 1 / 0`.catch((error: unknown) => sqlState(error)),
      pipe`insert into piped values (1)`,
      pipe`select n, pg_backend_pid() as pid from piped`,
    ]),
  )
  assert.equal(failure, '22012')
  assert.equal(inserted.count, 1)
  assert.deepEqual(read, await one`select n, pg_backend_pid() as pid from piped`)
})

test('all statements of a pipeline whose plans a migration made obsolete are planned again', async (t) => {
  const one = openPool(database.connection, 1)
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

test('a transaction has the options it begins with', async () => {
  await assert.rejects(
    db.begin('read only', (tx) => tx`create table kept ()`),
    (error) => sqlState(error) === '25006',
  )
  const isolation = await db.begin('isolation level repeatable read read only', async (tx) => {
    const [row] = await tx<{ level: string }[]>`select current_setting('transaction_isolation') as level`
    return row?.level
  })
  assert.equal(isolation, 'repeatable read')
})
