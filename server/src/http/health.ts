import type { FastifyInstance } from 'fastify'
import type { Pool } from '../db/pool.ts'

const READY_WITHIN_MS = 2_000

/** `GET /healthz`: the process lives. `GET /readyz`: it can reach its database, else 503. */
export function healthRoutes(app: FastifyInstance, db: Pool) {
  app.get('/healthz', async (_, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }))
  app.get('/readyz', async (_, reply) => {
    reply.header('cache-control', 'no-store')
    const query = db`select 1`
    const timer = setTimeout(() => query.cancel(), READY_WITHIN_MS)
    try {
      await Promise.race([
        query,
        new Promise((_, reject) => setTimeout(reject, READY_WITHIN_MS, new Error('late')).unref()),
      ])
      return { status: 'ready' }
    } catch {
      return reply.code(503).header('retry-after', 2).send({ status: 'database unreachable' })
    } finally {
      clearTimeout(timer)
    }
  })
}
