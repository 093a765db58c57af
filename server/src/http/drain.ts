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
  app.decorate('draining', control.signal)
  app.decorate('drain', () => {
    if (durationMs > 0) control.abort()
    done ??= durationMs > 0 ? delay(durationMs) : Promise.resolve()
    return done
  })
  // before any other hook, so that a refusal says it too
  app.addHook('onRequest', async (_, reply) => {
    if (control.signal.aborted) reply.header('connection', 'close')
  })
}
