import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { TLSSocket } from 'node:tls'
import { createTestDatabase } from '../test/database.ts'
import { isUnavailable, openPool } from './pool.ts'

/** A key and a certificate for `localhost` that this test alone uses, valid for a hundred years. */
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgyXgZ3LOdQfL7cTsm
6HpEk20bzQexcmWwTyJR43p+K66hRANCAAQBwQm/y3cPh71JTlwG7i2ViTaRw5LH
7dpeb3Py6RIK2b8kRrjD4MsCCgcUrMZK0ZDAo867m92tksdgez4BVzzU
-----END PRIVATE KEY-----`
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBlTCCATugAwIBAgIUJu6W7cjE8CMahbzOGtbJxnFgUh0wCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMjIxNDAzM1oYDzIxMjYxMDI5
MjE0MDMzWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQBwQm/y3cPh71JTlwG7i2ViTaRw5LH7dpeb3Py6RIK2b8kRrjD4MsC
CgcUrMZK0ZDAo867m92tksdgez4BVzzUo2kwZzAdBgNVHQ4EFgQUH0+q3lOArmBg
BTr6rZI6v6N7qSQwHwYDVR0jBBgwFoAUH0+q3lOArmBgBTr6rZI6v6N7qSQwDwYD
VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
SAAwRQIgJa2Q62nYn/4dMRD4MGOn1yeuuQOETT3BcyuG+czq6CwCIQCjPUDcnQym
7i+hAwX8kFJCtYSsuQJ+8jQHQ/VebFB1Ew==
-----END CERTIFICATE-----`

const database = await createTestDatabase()
const folder = mkdtempSync(join(tmpdir(), 'platenote-tls-'))
const authority = join(folder, 'authority.pem')
writeFileSync(authority, CERTIFICATE)

/** Accepts the request for TLS that PostgreSQL's protocol begins with, and forwards what is then decrypted. */
const server = createServer((client) => {
  client.on('error', () => {})
  client.once('data', () => {
    client.write('S')
    const decrypted = new TLSSocket(client, { isServer: true, key: KEY, cert: CERTIFICATE })
    const { host, port } = database.connection
    const upstream = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
    decrypted.pipe(upstream).pipe(decrypted)
    for (const end of [decrypted, upstream]) end.on('error', () => client.destroy())
  })
}).listen(0)
await once(server, 'listening')
after(async () => {
  server.close()
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

/** Asks the database something over a URL with these options; returns the result, or the code of the refusal. */
async function askOver(host: string, options: string): Promise<unknown> {
  const { port } = server.address() as AddressInfo
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
})
