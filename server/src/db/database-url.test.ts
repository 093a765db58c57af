import assert from 'node:assert/strict'
import { test } from 'node:test'
import { databaseUrl, namesSocket, parseDatabaseUrl } from './database-url.ts'

test('a connection survives being written as a URL', () => {
  const socket = { host: '/srv/l\'été, "1"/run', port: 5433, user: 'app', database: 'plates & more' }
  assert.deepEqual(parseDatabaseUrl(databaseUrl(socket)), socket)
  assert.equal(namesSocket(databaseUrl(socket)), true)
  const network = { host: 'db.example.com', port: 5432, user: 'p@t', password: 'a:b/c?d', database: 'platenote' }
  assert.deepEqual(parseDatabaseUrl(databaseUrl(network)), network)
  assert.equal(namesSocket(databaseUrl(network)), false)
})

test('what a URL leaves out is as PostgreSQL has it', () => {
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
