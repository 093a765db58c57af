import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createTestDatabase } from '../test/database.ts'
import { CERTIFICATE, startTlsDatabase } from '../test/tls-database.ts'
import { formatDatabaseUrl, parseDatabaseUrl, parseUrlOptions } from './database-url.ts'
import { isUnavailable, openPool } from './pool.ts'

const database = await createTestDatabase()
const folder = mkdtempSync(join(tmpdir(), 'platenote-tls-'))
const authority = join(folder, 'authority.pem')
writeFileSync(authority, CERTIFICATE)

const server = await startTlsDatabase(database.connection)
after(async () => {
  server.close()
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

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
