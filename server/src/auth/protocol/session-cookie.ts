import fastifyCookie from '@fastify/cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type * as z from 'zod/mini'
import type { EndpointDefinition } from '#contract/endpoint.ts'
import { LOCALES } from '#contract/product.ts'
import { COOKIE_HEADER, cookieNames, toAccountCookie, UNSAVED } from '#contract/session-cookie.ts'
import type { Config } from '../../config.ts'
import { hashSecret } from '../../encryption/secrets.ts'
import { RETENTION } from '../../retention.ts'
import { DAY_S, HOUR_S, MINUTE_S } from '../../time.ts'
import type { AuthContext } from '../context.ts'
import { fail } from '../errors.ts'
import { ADMIN_SESSION_HOURS, deleteSessions, findSessionByToken } from '../session-queries.ts'
import { refreshSession } from '../sessions.ts'
import { ACCESS_TOKEN_S } from '../tokens.ts'
import type { PublicHandler } from './handlers.ts'
import { parseBody, SessionBody } from './request-input.ts'
import type { Session } from './shapes.ts'
import { toSessionJson } from './user-json.ts'

// The session of our pages: its refresh token is in a cookie that no script can read (auth-protocol §1.16).

type SessionJson = z.infer<typeof Session>

const isSecure = (config: Config) => config.PUBLIC_URL.startsWith('https:')

/** Reads the refresh token of the browser's session; undefined when it has none. */
const readToken = ({ config }: AuthContext, request: FastifyRequest): string | undefined =>
  request.cookies[cookieNames(isSecure(config)).session] || undefined

const attributesOf = (config: Config, maxAge: number) =>
  ({ path: '/', secure: isSecure(config), sameSite: 'strict', maxAge }) as const

/**
 * Refuses whatever no script of a page sends: a form posts no JSON, and what is no browser sends no origin. Pages of other origins
 * are refused before (`refuseOtherSites`).
 */
function requireScript({ headers }: FastifyRequest): void {
  if (headers.origin === undefined || !headers['content-type']?.startsWith('application/json'))
    fail('validation_failed', { status: 403 })
}

/** Reads cookies, for the calls that are registered afterwards. */
export const registerCookies = (app: FastifyInstance) => app.register(fastifyCookie)

/**
 * Puts the refresh token of a session that is answered into the cookie, where our pages ask for that. A session that had the cookie
 * before ends: its browser cannot use it any more.
 */
export async function answerInCookie(auth: AuthContext, request: FastifyRequest, reply: FastifyReply, answer: unknown) {
  if (request.headers[COOKIE_HEADER] === undefined || !isSession(answer)) return answer
  requireScript(request)
  return putIntoCookie(auth, request, reply, answer)
}

const isSession = (answer: unknown): answer is SessionJson =>
  typeof answer === 'object' && answer !== null && 'refresh_token' in answer

async function putIntoCookie(
  auth: AuthContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { refresh_token, ...session }: SessionJson,
) {
  const { config, db } = auth
  const { user } = session
  const names = cookieNames(isSecure(config))
  const days = Number.parseInt(RETENTION.idleSessions, 10)
  const attributes = attributesOf(config, user.user_metadata['is_admin'] ? ADMIN_SESSION_HOURS * HOUR_S : days * DAY_S)
  const before = readToken(auth, request)
  if (before !== refresh_token) {
    reply.setCookie(names.session, refresh_token, { ...attributes, httpOnly: true })
    if (before !== undefined) await endFormer(db, before, refresh_token)
  }
  const locale = LOCALES.find((one) => one === user.app_metadata['locale']) ?? 'en'
  const shown = request.cookies[names.account]
  const isUnsaved = shown?.startsWith(user.id) && shown.endsWith(UNSAVED)
  reply.setCookie(names.account, isUnsaved ? shown! : toAccountCookie(user.id, locale), attributes)
  return session
}

/** Ends the session of a token, unless it is the one of another token as well. */
async function endFormer(db: AuthContext['db'], token: string, other: string) {
  const [former, present] = await Promise.all([token, other].map((each) => findSessionByToken(db, [hashSecret(each)])))
  if (former && former.id !== present?.id) await deleteSessions(db, former.user_id, former.id, 'local')
}

/** A token that is younger stays, so that pages that are loaded in a row, or side by side, have nothing to exchange. */
const KEEP_S = ACCESS_TOKEN_S - 10 * MINUTE_S
/** A request that was sent before the exchange may arrive long after it, over a connection that a phone has slept through. */
const REUSE_INTERVAL_S = 2 * MINUTE_S

/**
 * Handles `POST /session`: opens the session of the cookie, or puts the one of a refresh token into it, and answers what the page
 * shows first with it, so that nothing waits for a second round trip.
 */
export const postSession: PublicHandler = async (auth, request, reply) => {
  requireScript(request)
  const { refresh_token: given, first = [] } = parseBody(SessionBody, request)
  const token = given ?? readToken(auth, request) ?? fail('refresh_token_not_found')
  const exchange = given === undefined ? { reuseIntervalS: REUSE_INTERVAL_S, keepS: KEEP_S } : undefined
  const opened = await refreshSession(auth, token, exchange)
  const session = await putIntoCookie(auth, request, reply, await toSessionJson(auth, opened))
  const isReadable = (called: string) =>
    (request.server.endpoints as readonly EndpointDefinition[]).some(
      ({ method, path, audience, responseType }) =>
        method === 'GET' && path === called && audience !== 'public' && responseType === undefined,
    )
  const { 'accept-language': language, 'user-agent': agent, 'x-forwarded-for': forwarded } = request.headers
  const headers = {
    authorization: `Bearer ${session.access_token}`,
    ...(language && { 'accept-language': language }),
    ...(agent && { 'user-agent': agent }),
    ...(forwarded && { 'x-forwarded-for': forwarded }),
  }
  const { remoteAddress } = request.socket
  const answers = await Promise.all(
    first
      .filter((url) => isReadable(url.split('?', 1)[0]!))
      .map(async (url) => {
        const { statusCode, body } = await request.server.inject({
          url,
          headers,
          ...(remoteAddress && { remoteAddress }),
        })
        return [url, { status: statusCode, body }] as const
      }),
  )
  return { ...session, first: Object.fromEntries(answers) }
}

/** Handles `POST /session/end`: ends the session of the cookie, whatever it is, and the cookie. */
export const postSessionEnd: PublicHandler = async (auth, request, reply) => {
  requireScript(request)
  const token = readToken(auth, request)
  const found = token && (await findSessionByToken(auth.db, [hashSecret(token)]))
  if (found) await deleteSessions(auth.db, found.user_id, found.id, 'local')
  const names = cookieNames(isSecure(auth.config))
  for (const name of [names.session, names.account]) reply.clearCookie(name, attributesOf(auth.config, 0))
  return reply.code(204).send()
}
