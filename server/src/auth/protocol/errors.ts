import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isUnavailable, sqlState } from '../../db/pool.ts'
import type { Actor } from '../../http/actor.ts'
import { describeError } from '../../log/safe-error.ts'
import { Refusal } from '../../refusal.ts'
import type { BearerChecker, LinkUse } from '../authenticate.ts'
import { AuthError, fail } from '../errors.ts'

const VERSION_HEADER = 'x-supabase-api-version'
const NEW_ENVELOPE_SINCE = '2024-01-01'

/** Returns whether the caller expects the newer of the two error envelopes. */
const isNewEnvelopeRequested = (request: FastifyRequest): boolean => {
  const version = request.headers[VERSION_HEADER]
  return (
    typeof version === 'string' &&
    /^\d{4}-\d{2}-\d{2}$/.test(version) &&
    !Number.isNaN(Date.parse(version)) &&
    version >= NEW_ENVELOPE_SINCE
  )
}

/** Sends an error in the envelope the caller expects (auth-protocol §2.1). */
function sendAuthError(request: FastifyRequest, reply: FastifyReply, error: AuthError) {
  const { code, status, message, details } = error
  const weak = details.reasons && { weak_password: { reasons: details.reasons } }
  reply.code(status).header('x-sb-error-code', code)
  if (details.retryAfterS !== undefined) reply.header('retry-after', details.retryAfterS)
  if (isNewEnvelopeRequested(request)) {
    return reply.header(VERSION_HEADER, NEW_ENVELOPE_SINCE).send({ code, message, ...weak })
  }
  return reply.send({
    code: status,
    error_code: code,
    msg: message,
    ...weak,
    ...(status >= 500 && { error_id: request.id }),
  })
}

const LOCK_NOT_AVAILABLE = '55P03'
const STATEMENT_CANCELED = '57014'

/** Converts any error to one of the protocol. Unexpected ones are logged, without anything people wrote. */
export function toAuthError(error: unknown, request: FastifyRequest): AuthError {
  if (error instanceof AuthError) return error
  if (error instanceof Refusal && (error.code === 'busy' || error.code === 'too_many_requests')) {
    return new AuthError('over_request_rate_limit', error.details)
  }
  if (error instanceof Refusal && error.code === 'from_elsewhere')
    return new AuthError('validation_failed', { status: 403 })
  const { code, statusCode } = error as Partial<FastifyError>
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new AuthError('request_entity_too_large')
  if (statusCode !== undefined && statusCode < 500) return new AuthError('bad_json')
  // no 5xx, which a client would retry for half a minute: a lock that was not granted in time is no failure of ours
  if (sqlState(error) === LOCK_NOT_AVAILABLE) return new AuthError('conflict')
  request.log.error({ error: describeError(error) }, 'auth request failed')
  if (sqlState(error) === STATEMENT_CANCELED) return new AuthError('request_timeout')
  return new AuthError('unexpected_failure', isUnavailable(error) ? { status: 503, retryAfterS: 2 } : {})
}

const INVALID_JWT = 'invalid JWT: unable to parse or verify signature'

/**
 * Returns the caller, or fails as auth-protocol §1.0 says. A bad token is a 403: on 401 clients would keep their
 * session.
 */
export async function requireUser(
  checkBearer: BearerChecker,
  request: FastifyRequest,
  linkUse?: LinkUse,
): Promise<Actor> {
  const bearer = await checkBearer(request, linkUse)
  switch (bearer.state) {
    case 'signed_in':
      return bearer.actor
    case 'none':
      return fail('no_authorization')
    case 'unreadable':
      return fail('bad_jwt', { message: `${INVALID_JWT}, token is malformed or not ours` })
    case 'expired':
      return fail('bad_jwt', { message: `${INVALID_JWT}, token has expired` })
    case 'no_subject':
      return fail('bad_jwt', { message: 'invalid claim: missing sub claim' })
    case 'bad_subject':
      return fail('bad_jwt', { message: 'invalid claim: sub claim must be a UUID', status: 400 })
    case 'user_gone':
      return fail('user_not_found')
    case 'session_gone':
      return fail('session_not_found')
  }
}

/** Registers the error handler and the 404 handler of the auth protocol. */
export function registerAuthErrorHandlers(app: FastifyInstance) {
  app.setErrorHandler((error, request, reply) => sendAuthError(request, reply, toAuthError(error, request)))
  app.setNotFoundHandler((request, reply) => sendAuthError(request, reply, new AuthError('not_found')))
}
