import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { ConnectionOptions } from '../postgres/embedded-server.ts'
import { CERTIFICATE, CERTIFICATE_KEY } from './certificate.ts'

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
