import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { formatDatabaseUrl, parseDatabaseUrl, parseUrlOptions } from './database-url.ts'

test('a connection formatted as a URL is parsed back unchanged', () => {
  const socket = { host: '/srv/l\'été, "1"/run', port: 5433, user: 'app', database: 'plates & more' }
  assert.deepEqual(parseDatabaseUrl(formatDatabaseUrl(socket)), socket)
  const network = { host: 'db.example.com', port: 5432, user: 'p@t', password: 'a:b/c?d', database: 'platenote' }
  assert.deepEqual(parseDatabaseUrl(formatDatabaseUrl(network)), network)
})

test('what a URL leaves out gets PostgreSQL’s defaults', () => {
  assert.deepEqual(parseDatabaseUrl('postgres://pat@db.example.com'), {
    host: 'db.example.com',
    port: 5432,
    user: 'pat',
    database: 'pat',
  })
  assert.deepEqual(parseDatabaseUrl('postgresql:///plates?host=/run/postgresql'), {
    host: '/run/postgresql',
    port: 5432,
    user: 'postgres',
    database: 'plates',
  })
})

test('a URL asks for TLS as it does with PostgreSQL’s own programs', () => {
  const ca = join(import.meta.dirname, 'database-url.ts') // any file: it is only read
  const ssl = (query: string) => parseUrlOptions(`postgres://db.example.com/plates?${query}`).ssl
  assert.equal(ssl(''), false)
  assert.equal(ssl('sslmode=disable'), false)
  assert.deepEqual(ssl('sslmode=require'), { rejectUnauthorized: false })
  assert.deepEqual(ssl('sslmode=verify-full'), { rejectUnauthorized: true })
  assert.deepEqual(ssl(`sslmode=verify-full&sslrootcert=${encodeURIComponent(ca)}`), {
    rejectUnauthorized: true,
    ca: readFileSync(ca, 'utf8'),
  })
  const own = ssl(`sslmode=verify-ca&sslrootcert=${encodeURIComponent(ca)}`)
  assert.ok(own !== false)
  assert.ok(own.rejectUnauthorized && own.checkServerIdentity?.('another.name', {} as never) === undefined)
  assert.throws(() => ssl('sslmode=none'), /sslmode/)
})
