import type { FastifyInstance, FastifyRequest, HTTPMethods } from 'fastify'
import { EmptyObject, type Endpoint, endpoint } from '#contract/endpoint.ts'
import type { AppContext } from '../../context.ts'
import { LIMITS } from '../../limits/limits.ts'
import { createNetworkWindow } from '../../limits/sliding-window.ts'
import { createBearerChecker } from '../authenticate.ts'
import { createAuthContext } from '../context.ts'
import { fail, failOverLimit } from '../errors.ts'
import { createTokenVerifier } from '../tokens.ts'
import { CALLS } from './calls.ts'
import { registerAuthErrorHandlers, requireUser } from './errors.ts'
import { readQueryParam, registerBodyParser } from './request-input.ts'
import { answerInCookie, registerCookies } from './session-cookie.ts'

const AUTH_PREFIX = '/auth/v1'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const satisfies HTTPMethods[]
const PREFLIGHT = {
  'access-control-allow-methods': 'GET, POST, PUT, DELETE, OPTIONS',
  'access-control-allow-headers': 'authorization, apikey, content-type, x-client-info, x-supabase-api-version, accept',
  'access-control-max-age': '600',
}

/**
 * Registers `/auth/v1`: GoTrue's protocol on our accounts, for the unmodified browser client (docs/auth-protocol.md).
 * It has its own errors, body parser and 404s. Public calls ignore the bearer token: clients send their API key there.
 */
export const authRoutes = (app: FastifyInstance, context: AppContext) =>
  app.register(async (scope) => registerProtocol(scope, context), { prefix: AUTH_PREFIX })

async function registerProtocol(app: FastifyInstance, context: AppContext): Promise<void> {
  const auth = createAuthContext(context)
  const checkBearer = createBearerChecker(context, createTokenVerifier(auth.keys))
  app.addHook('onClose', () => auth.linkRequestQueue.stop())
  app.addHook('onClose', () => auth.failures.stop())
  registerBodyParser(app)
  await registerCookies(app)
  registerAuthErrorHandlers(app)
  app.addHook('onRequest', async (_, reply) => {
    reply.headers({
      'cache-control': 'no-store',
      vary: 'origin',
      // for our pages on another origin, without cookies
      'access-control-allow-origin': context.config.PUBLIC_URL,
      'access-control-expose-headers': 'X-Supabase-Api-Version, X-Total-Count, Link, Retry-After',
    })
  })
  // after the headers: a refusal carries them too
  limitRequests(app, context.config)

  for (const call of CALLS) {
    const { name, audience, summary, output, query, input = EmptyObject, status = 200 } = call
    const [method, url] = name.split(' ') as [Endpoint['method'], Endpoint['path']]
    const path = `${AUTH_PREFIX}${url}` as const
    app.route({
      method,
      url,
      config: {
        endpoint: endpoint({ method, path, audience, status, summary, input, output, ...(query && { query }) }),
      },
      // before the body is read
      onRequest: async (request: FastifyRequest) => {
        if (audience === 'user') request.actor = await requireUser(checkBearer, request, call.isLook ? 'look' : 'use')
      },
      handler: async (request, reply) => {
        const answer =
          call.audience === 'user'
            ? await call.handle(auth, request, reply, request.actor ?? fail('no_authorization'))
            : await call.handle(auth, request, reply)
        return answerInCookie(auth, request, reply, answer)
      },
    })
  }
  for (const [url, sameUrl] of Map.groupBy(CALLS, ({ name }) => name.slice(name.indexOf('/')))) {
    rejectOtherMethods(
      app,
      url,
      sameUrl.map(({ name }) => name.slice(0, name.indexOf(' '))),
    )
  }
}

function rejectOtherMethods(app: FastifyInstance, url: string, allowed: string[]): void {
  app.route({ method: 'OPTIONS', url, handler: async (_, reply) => reply.code(204).headers(PREFLIGHT).send() })
  app.route({
    // HEAD too: a link scanner must not open a link by it
    method: METHODS.filter((method) => !allowed.includes(method)),
    url,
    onRequest: async (_, reply) => {
      reply.header('allow', [...allowed, 'OPTIONS'].join(', '))
      fail('method_not_allowed')
    },
    handler: async () => fail('method_not_allowed'),
  })
}

/** Limits the requests of a network (auth-protocol §1.14), before a body is read or a password hashed. */
function limitRequests(app: FastifyInstance, config: AppContext['config']): void {
  const windows = {
    token: createNetworkWindow(LIMITS.tokenRequests, config),
    refresh: createNetworkWindow(LIMITS.refreshRequests, config),
    session: createNetworkWindow(LIMITS.sessionRequests, config),
    verify: createNetworkWindow(LIMITS.verifyRequests, config),
    account: createNetworkWindow(LIMITS.accountRequests, config),
  }
  const limitOf = new Map<string, (typeof CALLS)[number]['limit']>(CALLS.map(({ name, limit }) => [name, limit]))
  app.addHook('onRequest', async (request: FastifyRequest) => {
    const { method, routeOptions } = request
    if (method === 'OPTIONS') return // a preflight comes before /logout too
    app.admit(request)
    const limit = limitOf.get(`${method} ${routeOptions.url?.slice(AUTH_PREFIX.length)}`)
    if (limit === 'none') return
    if (limit === undefined) return app.countRequest(request)
    // apart: a client drops a session whose refresh is refused, and strangers on its network can fail to sign in at will
    const isRefresh = limit === 'token' && readQueryParam(request, 'grant_type') === 'refresh_token'
    failOverLimit(windows[isRefresh ? 'refresh' : limit](request.ip))
  })
}
