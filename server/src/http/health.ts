import type { FastifyInstance } from 'fastify'
import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import type { Pool } from '../db/pool.ts'
import { SECOND_MS, withTimeout } from '../time.ts'

const READY_TIMEOUT_MS = 2 * SECOND_MS

/** Returns the options of a probe; monitors send HEAD requests. */
const probeOptions = (path: `/${string}`, summary: string) => ({
  exposeHeadRoute: true,
  config: {
    endpoint: endpoint({
      method: 'GET',
      path,
      audience: 'public',
      summary,
      output: z.object({ status: z.string() }),
    }),
  },
})
const LIVENESS = probeOptions('/healthz', 'The process runs.')
const READINESS = probeOptions('/readyz', 'The process reaches its database and is not about to stop; otherwise 503.')

/** Registers both probes. */
export function healthRoutes(app: FastifyInstance, db: Pool) {
  app.get('/healthz', LIVENESS, async (_, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }))
  // one query at a time, however many requests there are
  let pendingProbe: Promise<unknown> | undefined
  /** Lets the next request query again; not when another query has begun meanwhile, which the others then share. */
  const forgetProbe = (probe: Promise<unknown>) => {
    if (pendingProbe === probe) pendingProbe = undefined
  }
  const probeDatabase = () => {
    if (pendingProbe) return pendingProbe
    const probe = (async () => db`select 1`)().finally(() => forgetProbe(probe))
    pendingProbe = probe
    return probe
  }
  app.get('/readyz', READINESS, async (_, reply) => {
    reply.header('cache-control', 'no-store')
    if (app.draining.aborted) return reply.code(503).send({ status: 'stopping' })
    const probe = probeDatabase()
    try {
      await withTimeout(probe, READY_TIMEOUT_MS)
      return { status: 'ready' }
    } catch {
      forgetProbe(probe) // perhaps the next one gets a connection that works
      return reply.code(503).header('retry-after', 2).send({ status: 'database unreachable' })
    }
  })
}
