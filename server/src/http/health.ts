import type { FastifyInstance } from 'fastify'
import type { Pool } from '../db/pool.ts'
import { SECOND_MS, withTimeout } from '../time.ts'

const READY_TIMEOUT_MS = 2 * SECOND_MS
/** Monitors ask with HEAD. */
const WITH_HEAD = { exposeHeadRoute: true }

/** `GET /healthz`: the process lives. `GET /readyz`: it can reach its database, else 503. */
export function healthRoutes(app: FastifyInstance, db: Pool) {
  app.get('/healthz', WITH_HEAD, async (_, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }))
  // One question at a time, however many ask. It is not cancelled when it takes too long: the driver cancels through a
  // connection of its own, and when that fails too, nobody can catch it and the process ends.
  let pendingProbe: Promise<unknown> | undefined
  const probeDatabase = () => {
    pendingProbe ??= (async () => db`select 1`)().finally(() => {
      pendingProbe = undefined
    })
    return pendingProbe
  }
  app.get('/readyz', WITH_HEAD, async (_, reply) => {
    reply.header('cache-control', 'no-store')
    try {
      await withTimeout(probeDatabase(), READY_TIMEOUT_MS)
      return { status: 'ready' }
    } catch {
      pendingProbe = undefined // the next one asks anew, perhaps through a connection that works
      return reply.code(503).header('retry-after', 2).send({ status: 'database unreachable' })
    }
  })
}
