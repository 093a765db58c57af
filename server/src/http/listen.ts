import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** In each turn of its loop Node takes one connection from each listener (decision overload-protection). */
const LISTENERS = 8
/** Only there does the system divide the connections of a port among its listeners. */
const HAS_SHARED_PORTS = process.platform === 'linux'
/**
 * Connections that wait while this process is busy; the system may allow fewer. It drops what goes beyond, and the client of a
 * dropped one tries again after a second, then three, then seven.
 */
const MAX_UNACCEPTED_CONNECTIONS = 4_096

/**
 * Lets an app listen, on several listeners of one port where the system can: with one alone, new connections would wait for
 * seconds while many come and turns are long. All of them end with the app.
 *
 * @param app with all of its hooks: those of this come last, so that the connections are gone before anything else ends
 * @throws `EADDRINUSE` when the port is taken, also by another process that shares its own
 */
export async function listen(app: FastifyInstance, { host, port }: { host: string; port: number }): Promise<void> {
  const options = { host, backlog: MAX_UNACCEPTED_CONNECTIONS, reusePort: HAS_SHARED_PORTS }
  // as Node's HTTP server sets its own sockets up
  const listeners = Array.from({ length: HAS_SHARED_PORTS ? LISTENERS - 1 : 0 }, () =>
    createServer({ allowHalfOpen: true, noDelay: true }, (socket) => app.server.emit('connection', socket)),
  )
  const closed: Promise<void>[] = []
  app.addHook('preClose', async () => {
    for (const listener of listeners) closed.push(new Promise((resolve) => void listener.close(() => resolve())))
  })
  app.addHook('onClose', async () => void (await Promise.all(closed)))

  if (HAS_SHARED_PORTS) await assertFree(host, port)
  await app.listen({ ...options, port })
  const address = app.server.address() as AddressInfo
  for (const listener of listeners) {
    listener.on('error', (error) => app.server.emit('error', error))
    await once(listener.listen({ ...options, host: address.address, port: address.port }), 'listening')
  }
}

/** Throws when somebody listens on the port: one who shares it would be joined instead. */
async function assertFree(host: string, port: number): Promise<void> {
  const probe = createServer()
  await once(probe.listen({ host, port }), 'listening')
  await new Promise((resolve) => probe.close(resolve))
}
