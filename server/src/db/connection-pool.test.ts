import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, type TestContext, test } from 'node:test'
import { temporaryFolder } from '../test/closing.ts'
import { busiestSecond, type ProxyMode, startDatabaseProxy } from '../test/database-proxy.ts'
import { formatDatabaseUrl } from '../test/database-url.ts'
import { eventually } from '../test/eventually.ts'
import { holdLocks } from '../test/locks.ts'
import { openTestDatabase } from '../test/open-database.ts'
import { CERTIFICATE, startTlsDatabase } from '../test/tls-database.ts'
import { parseDatabaseUrl, parseUrlOptions } from './database-url.ts'
import { isUnavailable, openPool } from './pool.ts'

const { db: direct, ...database } = await openTestDatabase()

/** Opens a pool whose way to the database a test can break. */
async function openBreakablePool(
  t: TestContext,
  size: number,
  options?: { statementTimeoutMs?: number; lockTimeoutMs?: number; acquireTimeoutMs?: number },
) {
  const proxy = await startDatabaseProxy(database.connection)
  const db = openPool(proxy.connection, size, options)
  t.after(async () => {
    await db.end({ timeout: 1 })
    proxy.close()
  })
  return { proxy, db }
}

/** Returns the code of the error a statement fails with, or `done`. */
const outcomeOf = (statement: Promise<unknown>) =>
  statement.then(
    () => 'done',
    (error: { code: string }) => error.code,
  )

// each breaks a way of its own, and waits most of the time
describe('a pool', { concurrency: true }, () => {
  test('however a connection ends, its statements fail as unavailable, and the next ones work', async (t) => {
    const { proxy, db } = await openBreakablePool(t, 3)
    const pidsOf = async () => (await db<{ pid: number }[]>`select pg_backend_pid() as pid`)[0]!.pid
    for (const end of [
      () => direct`
        select pg_terminate_backend(pid) from pg_stat_activity
        where query like '%as forever' and datname = current_database()`,
      async () => proxy.closeAll(),
    ]) {
      const waiting = Promise.allSettled(Array.from({ length: 3 }, () => db`select pg_sleep(60) as forever`))
      await eventually(async () => {
        const rows = await direct`
          select 1 from pg_stat_activity where query like '%as forever' and state = 'active' and datname = current_database()`
        return rows.length === 3 || undefined
      })
      await end()
      for (const result of await waiting) {
        assert.equal(result.status, 'rejected')
        assert.ok(isUnavailable(result.reason))
      }
      assert.ok((await pidsOf()) > 0)
    }
  })

  for (const mode of ['refuse', 'close'] satisfies ProxyMode[]) {
    test(`while connections are met with ‘${mode}’, callers learn so, and attempts are paced`, async (t) => {
      const { proxy, db } = await openBreakablePool(t, 8)
      await db`select 1`
      await proxy.setMode(mode)
      let isOver = false
      let refused = 0
      const callers = Array.from({ length: 50 }, async () => {
        while (!isOver) {
          await assert.rejects(async () => db`select 1`, isUnavailable)
          refused++
        }
      })
      await eventually(async () => (refused > 500 ? true : undefined))
      isOver = true
      await Promise.all(callers)
      assert.ok(busiestSecond(proxy.accepted) <= 22, `${busiestSecond(proxy.accepted)} attempts in a second`)
      await proxy.setMode('forward')
      await eventually(() =>
        db`select 1`.then(
          () => true,
          () => undefined,
        ),
      )
    })
  }

  test('a statement on a connection that froze is given up when the server knows nothing of it', async (t) => {
    const { proxy, db } = await openBreakablePool(t, 2)
    await Promise.all([db`select pg_sleep(0.1)`, db`select pg_sleep(0.1)`])
    await proxy.setMode('freeze')
    const stuck = outcomeOf(db`select 1`)
    proxy.abandonOpen()
    await proxy.setMode('forward')
    // the other connection is as frozen as this one, and has not been asked since
    await eventually(() =>
      Promise.race([
        db`select 1`.then(() => true as const),
        new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), 1_500)),
      ]),
    )
    assert.equal(await stuck, 'NO_ANSWER')
  })

  test('a frozen connection fails its statement also when the database does not come back', async (t) => {
    const { proxy, db } = await openBreakablePool(t, 1, { statementTimeoutMs: 1_000 })
    await db`select 1`
    await proxy.setMode('freeze')
    assert.equal(await outcomeOf(db`select 1`), 'NO_ANSWER')
  })

  test('while every connection has a slow statement, those in their place serve all who wait', async (t) => {
    const { db } = await openBreakablePool(t, 8, { acquireTimeoutMs: 60_000, lockTimeoutMs: 60_000 })
    const letGo = await holdLocks(t, direct, (connection) => connection`select pg_advisory_xact_lock(1)`)
    const slow = Array.from({ length: 8 }, () => outcomeOf(db`select pg_advisory_xact_lock_shared(1)`))
    const pids = await Promise.all(
      Array.from({ length: 200 }, async () => (await db<{ pid: number }[]>`select pg_backend_pid() as pid`)[0]!.pid),
    )
    // hardly more than 8: where a short statement is slow as well there is one more for a moment
    assert.ok(new Set(pids).size < pids.length / 4, `${new Set(pids).size} connections for ${pids.length} statements`)
    await letGo()
    assert.deepEqual(new Set(await Promise.all(slow)), new Set(['done']))
    // afterwards there are no more than the pool's size
    assert.equal(db.figures().open, 8)
  })

  test('when every connection is in use, a caller is refused early instead of waiting for ever', async (t) => {
    const { db } = await openBreakablePool(t, 1, { acquireTimeoutMs: 300 })
    // a connection may take longer than that to open
    const held = await eventually(() => db.reserve().catch(() => undefined))
    // an attempt that was given up may still succeed, for one caller
    const refusal = await eventually(async () => {
      const outcome = await outcomeOf(db`select 1`)
      return outcome === 'done' ? undefined : outcome
    })
    assert.equal(refusal, 'POOL_EXHAUSTED')
    held.release()
    assert.deepEqual(await db`select 1 as one`, [{ one: 1 }])
  })

  test('while every connection ends as it begins to listen, as on a standby, the attempts become rare', async (t) => {
    const { proxy, db } = await openBreakablePool(t, 1)
    let times = 0
    const { unlisten } = await db.listen(
      'a channel',
      () => {},
      () => times++,
    )
    proxy.closeAtEvery('listen ')
    proxy.closeAll()
    const before = proxy.accepted.length
    // the first follow each other quickly
    const later = () => proxy.accepted.slice(before + 6)
    await eventually(async () => (later().length > 3 ? true : undefined))
    assert.ok(busiestSecond(later()) <= 3, `${busiestSecond(later())} attempts in a second`)
    proxy.closeAtEvery(undefined)
    await eventually(async () => (times === 2 ? true : undefined))
    await unlisten()
  })

  test('settings of a reserved connection are not handed on', async (t) => {
    const { db } = await openBreakablePool(t, 1)
    const show = async () =>
      (await db<{ value: string }[]>`select current_setting('statement_timeout') as value`)[0]?.value
    assert.equal(await show(), '30s')
    const reserved = await db.reserve()
    await reserved.setStatementTimeout(0)
    reserved.release()
    assert.equal(await show(), '30s')
  })
})

const folder = temporaryFolder('platenote-tls-')
const authority = join(folder, 'authority.pem')
writeFileSync(authority, CERTIFICATE)

const server = await startTlsDatabase(database.connection)
after(() => server.close())

/** Asks the database something over a URL with these options; returns the result, or the code of the refusal. */
async function askOver(host: string, options: string): Promise<unknown> {
  const { port } = server
  const { user, database: name } = database.connection
  const db = openPool(`postgres://${user}@${host}:${port}/${name}?${options}`, 1)
  try {
    const [row] = await db<{ answer: number }[]>`select 42 as answer`
    return row?.answer
  } catch (error) {
    assert.ok(isUnavailable(error))
    return (error as { code: string }).code
  } finally {
    await db.end({ timeout: 1 })
  }
}

const root = `sslrootcert=${encodeURIComponent(authority)}`

test('a URL decides whether the connection is encrypted and whose certificate is good', async () => {
  assert.equal(await askOver('localhost', 'sslmode=require'), 42)
  assert.equal(await askOver('localhost', `sslmode=verify-full&${root}`), 42)
  assert.equal(await askOver('127.0.0.1', `sslmode=verify-ca&${root}`), 42)
  assert.equal(await askOver('127.0.0.1', `sslmode=verify-full&${root}`), 'ERR_TLS_CERT_ALTNAME_INVALID')
  assert.equal(await askOver('localhost', 'sslmode=verify-full'), 'DEPTH_ZERO_SELF_SIGNED_CERT')
  assert.throws(() => parseUrlOptions('postgres://db.example.com/plates?sslmode=none'), /sslmode/)
})

test('a connection formatted as a URL is parsed back unchanged', () => {
  const socket = { host: '/srv/l\'été, "1"/run', port: 5433, user: 'app', database: 'plates & more' }
  assert.deepEqual(parseDatabaseUrl(formatDatabaseUrl(socket)), socket)
  const network = { host: 'db.example.com', port: 5432, user: 'p@t', password: 'a:b/c?d', database: 'platenote' }
  assert.deepEqual(parseDatabaseUrl(formatDatabaseUrl(network)), network)
})
