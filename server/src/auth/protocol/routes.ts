import type { FastifyInstance, FastifyRequest, HTTPMethods } from 'fastify'
import { PRODUCT } from '#contract/product.ts'
import type { AppContext } from '../../context.ts'
import { createBearerChecker } from '../authenticate.ts'
import { createAuthContext } from '../context.ts'
import { fail } from '../errors.ts'
import { createTokenVerifier } from '../tokens.ts'
import { type DeleteAccount, deleteAdminUser, getAdminUser, requireServiceRole } from './admin-users.ts'
import { requireUser } from './bearer.ts'
import { AUTH_PREFIX, authEndpoint } from './endpoints.ts'
import { registerAuthErrorHandlers } from './errors.ts'
import * as factorHandlers from './factor-handlers.ts'
import * as handlers from './handlers.ts'
import { registerBodyParser } from './request-bodies.ts'
import { limitAuthRequests } from './request-limits.ts'

const OTHER_PROVIDERS =
  `anonymous_users apple azure bitbucket discord facebook figma fly github gitlab google kakao keycloak
  linkedin linkedin_oidc notion slack slack_oidc snapchat spotify twitch twitter workos x zoom`.split(/\s+/)

/** Handles `GET /settings`: which ways of signing up there are. */
const getSettings: handlers.PublicHandler = async ({ config }) => ({
  external: { ...Object.fromEntries(OTHER_PROVIDERS.map((name) => [name, false])), email: true, phone: false },
  disable_signup: false,
  mailer_autoconfirm: config.AUTH_AUTOCONFIRM,
  phone_autoconfirm: false,
  sms_provider: '',
  saml_enabled: false,
  saml_private_key_next_configured: false,
  passkeys_enabled: false,
})

/** Handles `GET /health`. */
const getHealth: handlers.PublicHandler = async () => ({
  version: '1',
  name: 'GoTrue',
  description: `The accounts of ${PRODUCT}`,
})

/**
 * Handles `GET /.well-known/jwks.json`: no keys, as the signing key is a shared secret; clients then call `GET /user`.
 */
const getJwks: handlers.PublicHandler = async (_, __, reply) =>
  reply.header('cache-control', 'public, max-age=600').send({ keys: [] })

/**
 * The calls by which the page of a link finds out whose it is, and by which somebody declines: they do not use the link up. Every
 * other call does, also one that only reads: nobody shall read with a link unseen (decision mailed-links).
 */
const LOOKS = ['GET /user', 'GET /signup/password', 'POST /logout']

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const satisfies HTTPMethods[]
const PREFLIGHT = {
  'access-control-allow-methods': 'GET, POST, PUT, DELETE, OPTIONS',
  'access-control-allow-headers': 'authorization, apikey, content-type, x-client-info, x-supabase-api-version, accept',
  'access-control-max-age': '600',
}

/**
 * Registers `/auth/v1`: GoTrue's protocol on our accounts, for the unmodified browser client (docs/auth-protocol.md).
 * It has its own errors, body parser and 404s. Public calls ignore the bearer token: clients send their API key there.
 *
 * @param deleteAccount the product's deletion of an account
 */
export async function authRoutes(
  app: FastifyInstance,
  context: AppContext,
  deleteAccount: DeleteAccount,
): Promise<void> {
  await app.register(async (scope) => registerProtocol(scope, context, deleteAccount), { prefix: AUTH_PREFIX })
}

function registerProtocol(app: FastifyInstance, context: AppContext, deleteAccount: DeleteAccount): void {
  const auth = createAuthContext(context)
  const checkBearer = createBearerChecker(context, createTokenVerifier(auth.keys))
  app.addHook('onClose', () => auth.linkRequestQueue.stop())
  app.addHook('onClose', () => auth.failures.stop())
  registerBodyParser(app)
  registerAuthErrorHandlers(app, checkBearer)
  app.addHook('onRequest', async (_, reply) => {
    reply.headers({
      'cache-control': 'no-store',
      vary: 'origin',
      // for our pages on another origin; nothing here uses cookies
      'access-control-allow-origin': context.config.PUBLIC_URL,
      'access-control-expose-headers': 'X-Supabase-Api-Version, X-Total-Count, Link, Retry-After',
    })
  })
  limitAuthRequests(app, context.config, AUTH_PREFIX)

  const publicRoutes = (
    url: string,
    handlersByMethod: Partial<Record<(typeof METHODS)[number], handlers.PublicHandler>>,
  ) => {
    for (const [method, handle] of Object.entries(handlersByMethod)) {
      const config = { endpoint: authEndpoint(method, url, 'public') }
      app.route({ method, url, config, handler: (request, reply) => handle(auth, request, reply) })
    }
    rejectOtherMethods(url, Object.keys(handlersByMethod))
  }
  const userRoutes = (
    url: string,
    handlersByMethod: Partial<Record<(typeof METHODS)[number], handlers.UserHandler>>,
  ) => {
    for (const [method, handle] of Object.entries(handlersByMethod)) {
      const linkUse = LOOKS.includes(`${method} ${url}`) ? 'look' : 'use'
      app.route({
        method,
        url,
        config: { endpoint: authEndpoint(method, url, 'user') },
        // before the body is read
        onRequest: async (request: FastifyRequest) => {
          request.actor = await requireUser(checkBearer, request, linkUse)
        },
        handler: (request, reply) => handle(auth, request, reply, request.actor ?? fail('no_authorization')),
      })
    }
    rejectOtherMethods(url, Object.keys(handlersByMethod))
  }
  const serviceRoutes = (url: string) => {
    const onRequest = (request: FastifyRequest) => requireServiceRole(context, checkBearer, request)
    const config = (method: string) => ({ endpoint: authEndpoint(method, url, 'service') })
    app.route({
      method: 'GET',
      url,
      config: config('GET'),
      onRequest,
      handler: (request) => getAdminUser(context, request),
    })
    app.route({
      method: 'DELETE',
      url,
      config: config('DELETE'),
      onRequest,
      handler: (request) => deleteAdminUser(context, request, deleteAccount),
    })
    rejectOtherMethods(url, ['GET', 'DELETE'])
  }
  const rejectOtherMethods = (url: string, allowed: string[]) => {
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

  publicRoutes('/signup', { POST: handlers.postSignUp })
  publicRoutes('/verify', { GET: handlers.getVerify, POST: handlers.postVerify })
  publicRoutes('/token', { POST: handlers.postToken })
  publicRoutes('/otp', { POST: handlers.postOtp })
  publicRoutes('/resend', { POST: handlers.postResend })
  publicRoutes('/recover', { POST: handlers.postRecover })
  userRoutes('/signup/password', { GET: handlers.getSignUpPassword, POST: handlers.postSignUpPassword })
  userRoutes('/logout', { POST: handlers.postLogout })
  userRoutes('/user', { GET: handlers.getUser, PUT: handlers.putUser })
  userRoutes('/factors', { POST: factorHandlers.postFactor })
  userRoutes('/factors/:id', { DELETE: factorHandlers.deleteFactor })
  userRoutes('/factors/:id/challenge', { POST: factorHandlers.postChallenge })
  userRoutes('/factors/:id/verify', { POST: factorHandlers.postVerify })
  serviceRoutes('/admin/users/:id')
  publicRoutes('/settings', { GET: getSettings })
  publicRoutes('/health', { GET: getHealth })
  publicRoutes('/.well-known/jwks.json', { GET: getJwks })
}
