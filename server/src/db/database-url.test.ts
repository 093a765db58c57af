import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatDatabaseUrl, isSocketUrl, parseDatabaseUrl } from './database-url.ts'

test('a connection formatted as a URL is parsed back unchanged', () => {
  const socket = { host: '/srv/l\'été, "1"/run', port: 5433, user: 'app', database: 'plates & more' }
  assert.deepEqual(parseDatabaseUrl(formatDatabaseUrl(socket)), socket)
  assert.equal(isSocketUrl(formatDatabaseUrl(socket)), true)
  const network = { host: 'db.example.com', port: 5432, user: 'p@t', password: 'a:b/c?d', database: 'platenote' }
  assert.deepEqual(parseDatabaseUrl(formatDatabaseUrl(network)), network)
  assert.equal(isSocketUrl(formatDatabaseUrl(network)), false)
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
