import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import { SECOND_MS } from '../time.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Aborted once the process is about to stop and serves only until a proxy has noticed. */
    draining: AbortSignal
    /** Begins to drain, and resolves once the process may stop. Draining again changes nothing. */
    drain(): Promise<void>
  }
}

/** Returns how long a process drains: without the setting as long as a proxy takes to notice, where there is one. */
export function drainMs({ DRAIN_SECONDS, ROLE, TRUST_PROXY }: Pick<Config, 'DRAIN_SECONDS' | 'ROLE' | 'TRUST_PROXY'>) {
  if (ROLE === 'worker') return 0 // nobody's requests are led to it
  return (DRAIN_SECONDS ?? (TRUST_PROXY ? DEFAULT_BEHIND_PROXY_S : 0)) * SECOND_MS
}

const DEFAULT_BEHIND_PROXY_S = 5

/**
 * Lets processes restart one by one without a failed request (decision settings-and-commands): while it drains a process serves as before,
 * but says on `/readyz` that it is going, closes each connection after its response, and hands its live streams over. So none of
 * its connections is in use when it stops listening.
 */
export function registerDrain(app: FastifyInstance, config: Pick<Config, 'DRAIN_SECONDS' | 'ROLE' | 'TRUST_PROXY'>) {
  const control = new AbortController()
  const durationMs = drainMs(config)
  let done: Promise<void> | undefined
  const beginToDrain = () => {
    control.abort()
    // before Fastify has them, so that a refusal says it too
    app.server.prependListener('request', (_, response) => response.setHeader('connection', 'close'))
    return delay(durationMs)
  }
  app.decorate('draining', control.signal)
  app.decorate('drain', () => {
    done ??= durationMs > 0 ? beginToDrain() : Promise.resolve()
    return done
  })
}

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
