import type { FastifyInstance, FastifyRequest, HTTPMethods } from 'fastify'
import type { Parts } from '../parts.ts'
import { type DeleteAccount, deleteAdminUser, getAdminUser, requireServiceRole } from './admin-users.ts'
import { makeCheckBearer } from './authenticate.ts'
import { requireUser } from './bearer.ts'
import { authBodies } from './body.ts'
import { makeAuth } from './context.ts'
import { fail, handleAuthErrors } from './errors.ts'
import * as handlers from './handlers.ts'
import { limitAuthRequests } from './request-limits.ts'
import { health, jwks, settings } from './service-info.ts'
import { makeTokenReader } from './tokens.ts'

const PREFIX = '/auth/v1'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const satisfies HTTPMethods[]
const PREFLIGHT = {
  'access-control-allow-methods': 'GET, POST, PUT, DELETE, OPTIONS',
  'access-control-allow-headers': 'authorization, apikey, content-type, x-client-info, x-supabase-api-version, accept',
  'access-control-max-age': '600',
}

/**
 * `/auth/v1`: GoTrue's protocol on our accounts, for the unmodified browser client (auth contract). It keeps its own
 * errors, bodies and 404s. Public calls ignore the bearer: clients send their API key there.
 *
 * @param deleteAccount the product's deletion of an account
 */
export async function authRoutes(app: FastifyInstance, parts: Parts, deleteAccount: DeleteAccount): Promise<void> {
  await app.register(async (scope) => protocol(scope, parts, deleteAccount), { prefix: PREFIX })
}

function protocol(app: FastifyInstance, parts: Parts, deleteAccount: DeleteAccount): void {
  const auth = makeAuth(parts)
  const check = makeCheckBearer(parts.db, makeTokenReader(auth.keys))
  app.addHook('onClose', () => auth.wishes.stop())
  authBodies(app)
  handleAuthErrors(app)
  app.addHook('onRequest', async (_, reply) => {
    reply.headers({
      'cache-control': 'no-store',
      vary: 'origin',
      // pages of ours on another address; nothing here works by cookie
      'access-control-allow-origin': parts.config.PUBLIC_URL,
      'access-control-expose-headers': 'X-Supabase-Api-Version, X-Total-Count, Link, Retry-After',
    })
  })
  limitAuthRequests(app, parts.config, PREFIX)

  const open = (url: string, calls: Partial<Record<(typeof METHODS)[number], handlers.Handler>>) => {
    for (const [method, handle] of Object.entries(calls)) {
      app.route({ method, url, handler: (request, reply) => handle(auth, request, reply) })
    }
    refuseOthers(url, Object.keys(calls))
  }
  const guarded = (url: string, calls: Partial<Record<(typeof METHODS)[number], handlers.GuardedHandler>>) => {
    for (const [method, handle] of Object.entries(calls)) {
      app.route({
        method,
        url,
        // before the body is read
        onRequest: async (request: FastifyRequest) => {
          request.actor = await requireUser(check, request)
        },
        handler: (request, reply) => handle(auth, request, reply, request.actor ?? fail('no_authorization')),
      })
    }
    refuseOthers(url, Object.keys(calls))
  }
  const adminUser = (url: string) => {
    const onRequest = (request: FastifyRequest) => requireServiceRole(parts, check, request)
    app.route({ method: 'GET', url, onRequest, handler: (request) => getAdminUser(parts, request) })
    app.route({
      method: 'DELETE',
      url,
      onRequest,
      handler: (request) => deleteAdminUser(parts, request, deleteAccount),
    })
    refuseOthers(url, ['GET', 'DELETE'])
  }
  const refuseOthers = (url: string, taken: string[]) => {
    app.route({ method: 'OPTIONS', url, handler: async (_, reply) => reply.code(204).headers(PREFLIGHT).send() })
    app.route({
      // HEAD too: it is not GET, so that no link scanner opens a link by it
      method: METHODS.filter((method) => !taken.includes(method)),
      url,
      onRequest: async (_, reply) => {
        reply.header('allow', [...taken, 'OPTIONS'].join(', '))
        fail('method_not_allowed')
      },
      handler: async () => fail('method_not_allowed'),
    })
  }

  open('/signup', { POST: handlers.postSignUp })
  open('/verify', { GET: handlers.getVerify, POST: handlers.postVerify })
  open('/token', { POST: handlers.postToken })
  open('/otp', { POST: handlers.postOtp })
  open('/resend', { POST: handlers.postResend })
  open('/recover', { POST: handlers.postRecover })
  guarded('/logout', { POST: handlers.postLogout })
  guarded('/user', { GET: handlers.getUser, PUT: handlers.putUser })
  adminUser('/admin/users/:id')
  open('/settings', { GET: settings })
  open('/health', { GET: health })
  open('/.well-known/jwks.json', { GET: jwks })
}
