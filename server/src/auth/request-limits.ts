import type { FastifyInstance, FastifyRequest } from 'fastify'
import { networkOf, scaled } from '../http/rate-limit.ts'
import { requestWindow } from '../http/request-window.ts'
import { LIMITS } from '../limits.ts'
import { fail } from './errors.ts'
import { queryOf } from './handlers.ts'

/** Requests of one network, whoever they are about (auth contract §1.14). */
const REQUESTS = {
  token: LIMITS.tokenRequests,
  renewal: LIMITS.renewalRequests,
  verify: LIMITS.verifyRequests,
  account: LIMITS.accountRequests,
}

type Kind = keyof typeof REQUESTS

/**
 * Which limit a call counts against. `null`: none, because a client that is refused here keeps a session somebody wanted
 * to end, or because it only asks what everybody is told. What is not named counts as any API does.
 */
const LIMIT_OF: Record<string, Kind | null> = {
  'POST /token': 'token',
  'GET /verify': 'verify',
  'POST /verify': 'verify',
  'POST /signup': 'account',
  'POST /otp': 'account',
  'POST /resend': 'account',
  'POST /recover': 'account',
  'PUT /user': 'account',
  'GET /user': null,
  'POST /logout': null,
  'GET /settings': null,
  'GET /health': null,
  'GET /.well-known/jwks.json': null,
}

/**
 * Limits the requests of a network to the auth protocol, before a body is read or a password hashed. Register it after
 * the hook that sets the protocol's headers: a refusal carries them too.
 *
 * @param prefix where the protocol lies
 */
export function limitAuthRequests(app: FastifyInstance, config: { LIMIT_SCALE: number }, prefix: string): void {
  const window = (kind: Kind) => requestWindow(scaled(REQUESTS[kind].most, config), REQUESTS[kind].windowS)
  const windows = {
    token: window('token'),
    renewal: window('renewal'),
    verify: window('verify'),
    account: window('account'),
  }
  app.addHook('onRequest', async (request: FastifyRequest) => {
    const { method, routeOptions } = request
    if (method === 'OPTIONS') return // a browser asks before /logout too
    const named = LIMIT_OF[`${method} ${routeOptions.url?.slice(prefix.length)}`]
    // apart: a client drops the session whose renewal is refused, and strangers on its network can sign in wrongly at will
    const kind = named === 'token' && queryOf(request, 'grant_type') === 'refresh_token' ? 'renewal' : named
    if (kind === null) return
    if (kind === undefined) return app.countRequest(request)
    const { allowed, retryAfterS } = windows[kind](networkOf(request.ip))
    if (!allowed) fail('over_request_rate_limit', { retryAfterS })
  })
}
