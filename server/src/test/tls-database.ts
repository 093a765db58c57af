import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { ConnectionOptions } from '../postgres/embedded-server.ts'

/** The private key of the certificate. */
export const CERTIFICATE_KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgyXgZ3LOdQfL7cTsm
6HpEk20bzQexcmWwTyJR43p+K66hRANCAAQBwQm/y3cPh71JTlwG7i2ViTaRw5LH
7dpeb3Py6RIK2b8kRrjD4MsCCgcUrMZK0ZDAo867m92tksdgez4BVzzU
-----END PRIVATE KEY-----`
/** A certificate for `localhost`, its own authority, that tests alone use, valid for a hundred years. */
export const CERTIFICATE = `-----BEGIN CERTIFICATE-----
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

/** Starts what makes a database speak TLS: it accepts the request that PostgreSQL's protocol begins with, and forwards what it decrypts. */
export async function startTlsDatabase({ host, port }: ConnectionOptions): Promise<{ port: number; close(): void }> {
  const server = createServer((client) => {
    client.on('error', () => {})
    client.once('data', () => {
      client.write('S')
      const decrypted = new TLSSocket(client, { isServer: true, key: CERTIFICATE_KEY, cert: CERTIFICATE })
      const upstream = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
      decrypted.pipe(upstream).pipe(decrypted)
      for (const end of [decrypted, upstream]) end.on('error', () => client.destroy())
    })
  }).listen(0)
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, close: () => server.close() }
}
