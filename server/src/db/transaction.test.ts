import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createTestDatabase } from '../test/database.ts'
import { openPool, sqlState } from './pool.ts'
import { inTransaction } from './transaction.ts'

const database = await createTestDatabase()
const db = openPool(database.connection, 4)
after(async () => {
  await db.end({ timeout: 5 })
  await database.drop()
})

const raiseSql = (state: string) => `do $$ begin raise exception using errcode = '${state}', message = 'test'; end $$`

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

test('a transaction that is always rolled back fails after its third retry', async () => {
  let runs = 0
  const failing = inTransaction(db, (tx) => {
    runs++
    return tx.unsafe(raiseSql('40001'))
  })
  await assert.rejects(failing, (error) => sqlState(error) === '40001')
  assert.equal(runs, 4)
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
  const one = openPool(database.connection, 1)
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
