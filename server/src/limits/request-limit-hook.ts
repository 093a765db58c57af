import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal, refuse } from '../refusal.ts'
import { LIMITS } from './limits.ts'
import { scaleLimit } from './rate-limiter.ts'
import { createNetworkWindow, createSlidingWindow } from './sliding-window.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Counts a request against the limit on API requests; for a part of the app that has its own order of hooks. */
    countRequest(request: FastifyRequest): void
  }
}

/** The paths the limit on API requests covers. `/auth/v1` counts its own: see `auth/protocol/routes.ts`. */
export const LIMITED_PATHS = /^\/(?:api|rest|functions|storage|register-plate|send-email)(?:[/?]|$)/

/**
 * Returns the owner of the access token a request carries, or null unless this server signed it and it has not expired.
 * Does not query the database: whether the session still exists is checked later.
 */
export type GetTokenOwner = (request: FastifyRequest) => string | null

/**
 * Limits how often anyone calls the API (decision rate-limits), before anything else is done for a request. Pages and health checks
 * are not limited.
 *
 * @returns `authenticate`, which now also counts a request it refuses as anonymous: a token whose session has ended is no
 *   better than none. A request that was admitted with its session is not counted again when that is checked once more, as a
 *   live stream does: the limit must not hide that the session has ended
 */
export function registerRequestLimits<Actor, Options>(
  app: FastifyInstance,
  config: { LIMIT_SCALE: number },
  getTokenOwner: GetTokenOwner,
  authenticate: (request: FastifyRequest, options?: Options) => Promise<Actor>,
): (request: FastifyRequest, options?: Options) => Promise<Actor> {
  const anonymousWindow = createNetworkWindow(LIMITS.anonymousRequests, config)
  const userWindow = createSlidingWindow(scaleLimit(LIMITS.userRequests.max, config), LIMITS.userRequests.windowS)

  const countAnonymous = ({ ip }: FastifyRequest) => {
    const { allowed, retryAfterS } = anonymousWindow(ip)
    if (!allowed) refuse('too_many_requests', { retryAfterS })
  }
  const countRequest = (request: FastifyRequest) => {
    const userId = getTokenOwner(request)
    if (userId === null) return countAnonymous(request)
    const { allowed, retryAfterS } = userWindow(userId)
    if (!allowed) refuse('too_many_requests', { retryAfterS })
  }

  app.decorate('countRequest', countRequest)
  app.addHook('onRequest', (request, _, done) => {
    // judged by the route's own pattern where there is one: an address may be written with escapes
    if (LIMITED_PATHS.test(request.route ?? request.url)) countRequest(request)
    done()
  })
  return async (request, options) => {
    try {
      return await authenticate(request, options)
    } catch (error) {
      const isSessionEnded = error instanceof Refusal && (error.code === 'session_ended' || error.code === 'suspended')
      if (isSessionEnded && request.actor === null) countAnonymous(request)
      throw error
    }
  }
}
