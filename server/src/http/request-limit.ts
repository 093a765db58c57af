import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LIMITS } from '../limits.ts'
import { Refusal, refuse } from '../refusal.ts'
import type { Authenticate } from './actor.ts'
import { networkOf, scaled } from './rate-limit.ts'
import { requestWindow } from './request-window.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Counts a request against the limit of any API; for a part of the app that has its own order of hooks. */
    countRequest(request: FastifyRequest): void
  }
}

/** What the limit of any API is about. `/auth/v1` counts for itself: see `auth/request-limits.ts`. */
const LIMITED = /^\/(?:api|rest|functions|storage|register-plate|send-email)(?:[/?]|$)/

/**
 * Whose access token a request carries, if this server signed it and it has not expired; else null. Without a look into
 * the database: whether the session still holds is asked later.
 */
export type HolderOf = (request: FastifyRequest) => string | null

/**
 * Limits how often anybody calls the interface (design §6), before anything else is done for a request. Pages and health
 * are not limited.
 *
 * @returns `authenticate`, made to count whoever it refuses as a visitor: a token whose session has ended is no better
 *   than none
 */
export function limitRequests(
  app: FastifyInstance,
  config: { LIMIT_SCALE: number },
  holderOf: HolderOf,
  authenticate: Authenticate,
): Authenticate {
  const visitors = requestWindow(scaled(LIMITS.visitorRequests.most, config), LIMITS.visitorRequests.windowS)
  const users = requestWindow(scaled(LIMITS.userRequests.most, config), LIMITS.userRequests.windowS)

  const countVisitor = ({ ip }: FastifyRequest) => {
    const { allowed, retryAfterS } = visitors(networkOf(ip))
    if (!allowed) refuse('too_many_requests', { retryAfterS })
  }
  const countRequest = (request: FastifyRequest) => {
    const holder = holderOf(request)
    if (holder === null) return countVisitor(request)
    const { allowed, retryAfterS } = users(holder)
    if (!allowed) refuse('too_many_requests', { retryAfterS })
  }

  app.decorate('countRequest', countRequest)
  app.addHook('onRequest', async (request) => {
    // by the route's own pattern where there is one: an address may be written with escapes
    if (LIMITED.test(request.routeOptions.url ?? request.url)) countRequest(request)
  })
  return async (request) => {
    try {
      return await authenticate(request)
    } catch (error) {
      if (error instanceof Refusal && error.code === 'session_ended') countVisitor(request)
      throw error
    }
  }
}
