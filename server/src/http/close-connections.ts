import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { SECOND_MS } from '../time.ts'

const IDLE_SWEEP_INTERVAL_MS = 50
/** Nothing of a request that is on its way stays out for so long. */
const QUIET_SWEEP_INTERVAL_MS = SECOND_MS
/** How long requests in progress may take once the server stops; what is left of a stop's 30 s is for the database. */
const REQUESTS_TIMEOUT_MS = 20 * SECOND_MS

/**
 * Closes connections so that a stop does not wait for them: each as it becomes idle, those on which a part of a request has
 * arrived and nothing follows, and after 20 s all of them, with the requests in progress. Node by itself would leave the last
 * two to their time-outs, of minutes.
 */
export function closeConnectionsOnShutdown(app: FastifyInstance) {
  const { server } = app
  const connections = new Set<Socket>()
  // requests of one connection are answered in their order
  const lastResponses = new WeakMap<Socket, ServerResponse>()
  server.on('connection', (socket: Socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  server.prependListener('request', ({ socket }, response) => lastResponses.set(socket, response))

  const isAnswering = (socket: Socket) => lastResponses.get(socket)?.writableFinished === false

  let timers: NodeJS.Timeout[] = []
  app.addHook('preClose', async () => {
    const bytesBefore = new Map<Socket, number>()
    const closeQuiet = () => {
      for (const socket of connections) {
        if (isAnswering(socket)) bytesBefore.delete(socket)
        else if (bytesBefore.get(socket) === socket.bytesRead) socket.destroy()
        else bytesBefore.set(socket, socket.bytesRead)
      }
    }
    const closeAll = () => {
      app.log.warn({ connections: connections.size }, 'requests in progress were cut off')
      server.closeAllConnections()
    }
    timers = [
      setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_INTERVAL_MS),
      setInterval(closeQuiet, QUIET_SWEEP_INTERVAL_MS),
      setTimeout(closeAll, REQUESTS_TIMEOUT_MS),
    ]
  })
  // when all connections are closed, whichever listener took them
  app.addHook('onClose', async () => timers.forEach(clearTimeout))
}
