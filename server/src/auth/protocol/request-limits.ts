import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LIMITS } from '../../limits/limits.ts'
import { createNetworkWindow } from '../../limits/sliding-window.ts'
import { failOverLimit } from '../errors.ts'
import { readQueryParam } from './request-input.ts'

/** Limits on the requests of one network, whichever account they concern (auth-protocol §1.14). */
const REQUEST_LIMITS = {
  token: LIMITS.tokenRequests,
  refresh: LIMITS.refreshRequests,
  verify: LIMITS.verifyRequests,
  account: LIMITS.accountRequests,
}

type LimitKind = keyof typeof REQUEST_LIMITS

/**
 * The limit a call counts against. `null`: none, because a client that is refused here would keep a session somebody
 * wanted to end, or because the response is public. Calls not named here count as those of any API: reading one's own
 * account against the limit of the person.
 */
const LIMIT_BY_ROUTE: Record<string, LimitKind | null> = {
  'POST /token': 'token',
  'GET /verify': 'verify',
  'POST /verify': 'token',
  'POST /signup': 'token', // how many there may be in an hour is counted apart
  'POST /otp': 'account',
  'POST /resend': 'account',
  'POST /recover': 'account',
  'PUT /user': 'account',
  'POST /factors': 'account',
  'POST /factors/:id/challenge': 'verify',
  'POST /factors/:id/verify': 'verify',
  'POST /logout': null,
  'GET /settings': null,
  'GET /health': null,
  'GET /.well-known/jwks.json': null,
}

/**
 * Limits the requests of a network to the auth protocol, before a body is read or a password hashed. Register it after
 * the hook that sets the protocol's headers: a refusal carries them too.
 *
 * @param prefix the path the protocol is mounted at
 */
export function limitAuthRequests(app: FastifyInstance, config: { LIMIT_SCALE: number }, prefix: string): void {
  const createWindow = (kind: LimitKind) => createNetworkWindow(REQUEST_LIMITS[kind], config)
  const windows = {
    token: createWindow('token'),
    refresh: createWindow('refresh'),
    verify: createWindow('verify'),
    account: createWindow('account'),
  }
  app.addHook('onRequest', async (request: FastifyRequest) => {
    const { method, routeOptions } = request
    if (method === 'OPTIONS') return // a preflight comes before /logout too
    app.admit(request)
    const routeLimit = LIMIT_BY_ROUTE[`${method} ${routeOptions.url?.slice(prefix.length)}`]
    // apart: a client drops a session whose refresh is refused, and strangers on its network can fail to sign in at
    // will
    const kind =
      routeLimit === 'token' && readQueryParam(request, 'grant_type') === 'refresh_token' ? 'refresh' : routeLimit
    if (kind === null) return
    if (kind === undefined) return app.countRequest(request)
    failOverLimit(windows[kind](request.ip))
  })
}
