import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '../test/app.ts'
import { migrate } from './migrate.ts'
import { openPool } from './pool.ts'
import { readMigrations } from './schema-files.ts'

const app = await testApp()
after(() => app.close())

const PEOPLE = 24

test('sign-ins and refreshed sessions go on after a migration has added a column, on every connection', async () => {
  const people = await Promise.all(Array.from({ length: PEOPLE }, () => app.user()))
  const refresh = async (refresh_token: string): Promise<string> => {
    const { status, body, text } = await app.visitor.post('/auth/v1/token?grant_type=refresh_token', { refresh_token })
    assert.equal(status, 200, text)
    return body.refresh_token
  }
  const signInAll = async () => {
    for (const { email, password } of people) await app.signIn(email, password)
  }
  // all connections have prepared the statements
  let tokens = await Promise.all(people.map(({ refreshToken }) => refresh(refreshToken)))
  await signInAll()
  assert.equal(app.db.figures().open, app.config.DATABASE_POOL)

  await app.db`alter table auth.users add column added_beside text`
  tokens = await Promise.all(tokens.map(refresh))
  await app.db`alter table auth.users add column added_later text`
  await Promise.all([...tokens.map(refresh), signInAll()])
})

test('a migration waits for a backup without holding up sends, says so, and is done when the backup is', async (t) => {
  const sender = await app.user()
  const { plate } = await app.vehicle(await app.user())
  const others = openPool(app.database.connection, 2)
  t.after(() => others.end())
  const reads = Promise.withResolvers<void>()
  const backup = Promise.withResolvers<void>()
  const reading = others.begin('isolation level repeatable read, read only', async (tx) => {
    await tx`lock table messages in access share mode`
    reads.resolve()
    await backup.promise
  })
  await reads.promise

  const lines: string[] = []
  let isDone = false
  const sql = 'alter table messages add column added_beside text'
  const newer = { number: 9999, name: '9999_beside.sql', sql, sha256: '' }
  const migrating = migrate(others, { migrations: [...readMigrations(), newer], onWait: (line) => lines.push(line) })
  void migrating.then(() => {
    isDone = true
  })
  let slowestMs = 0
  for (let sent = 0; lines.length < 2; sent++) {
    const startedAt = performance.now()
    const message = { plate, content: `Your lights are on, ${sent}.` }
    assert.equal((await sender.post('/api/messages', message)).status, 201)
    slowestMs = Math.max(slowestMs, performance.now() - startedAt)
  }
  assert.equal(isDone, false)
  assert.ok(slowestMs < 4_000, `a send took ${slowestMs} ms`)
  assert.match(
    lines.join('\n'),
    /^Migration 9999_beside\.sql waits: a backup .* again in 1 s\.\nMigration 9999_beside\.sql .* again in 2 s\.$/,
  )

  backup.resolve()
  await Promise.all([reading, migrating])
  assert.equal((await sender.post('/api/messages', { plate, content: 'Your lights are on.' })).status, 201)
  assert.equal((await app.db`select from schema_migrations where number = 9999`).length, 1)
})
