import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { WeakPasswordReason } from '#contract/auth.ts'
import { sqlState } from '../db/pool.ts'
import { describeError } from '../http/errors.ts'
import { Refusal } from '../refusal.ts'

/** Every refusal of the auth protocol: its usual status and text. Clients decide by the code. */
const AUTH_ERRORS = {
  anonymous_provider_disabled: [422, 'Anonymous sign-ins are disabled'],
  bad_json: [400, 'Could not read the request body as JSON'],
  bad_jwt: [403, 'invalid JWT: unable to parse or verify signature'],
  conflict: [409, 'Too many concurrent requests for this session'],
  current_password_invalid: [400, 'Current password is not correct'],
  current_password_required: [400, 'Current password is required to set a new password'],
  email_not_confirmed: [400, 'Email not confirmed'],
  invalid_credentials: [400, 'Invalid login credentials'],
  method_not_allowed: [405, 'Method not allowed'],
  no_authorization: [401, 'This endpoint requires a valid Bearer token'],
  not_admin: [403, 'User not allowed'],
  not_found: [404, 'Not found'],
  otp_disabled: [422, 'Signups not allowed for otp'],
  otp_expired: [403, 'Email link is invalid or has expired'],
  over_email_send_rate_limit: [429, 'email rate limit exceeded'],
  over_request_rate_limit: [429, 'Request rate limit reached'],
  refresh_token_already_used: [400, 'Invalid Refresh Token: Already Used'],
  refresh_token_not_found: [400, 'Invalid Refresh Token: Refresh Token Not Found'],
  request_entity_too_large: [413, 'Request body too large'],
  request_timeout: [504, 'Processing this request timed out, please retry after a moment.'],
  same_password: [422, 'New password should be different from the old password.'],
  session_expired: [400, 'Invalid Refresh Token: Session Expired'],
  session_not_found: [403, 'Session from session_id claim in JWT does not exist'],
  unexpected_failure: [500, 'Unexpected failure, please try again later'],
  user_already_exists: [422, 'User already registered'],
  user_banned: [400, 'User is banned'],
  user_not_found: [403, 'User from sub claim in JWT does not exist'],
  validation_failed: [400, 'Validation failed'],
  weak_password: [422, 'Password is too weak'],
} as const satisfies Record<string, readonly [status: number, message: string]>

export type AuthErrorCode = keyof typeof AUTH_ERRORS

export type AuthErrorDetails = {
  message?: string
  /** Where a code has another status than its usual one. */
  status?: number
  reasons?: WeakPasswordReason[]
  retryAfterS?: number
}

/** An expected failure of the auth protocol. */
export class AuthError extends Error {
  readonly code: AuthErrorCode
  readonly status: number
  readonly details: AuthErrorDetails

  constructor(code: AuthErrorCode, details: AuthErrorDetails = {}) {
    super(details.message ?? AUTH_ERRORS[code][1])
    this.name = 'AuthError'
    this.code = code
    this.status = details.status ?? AUTH_ERRORS[code][0]
    this.details = details
  }
}

/** Fails the request with a code of the protocol. */
export function fail(code: AuthErrorCode, details?: AuthErrorDetails): never {
  throw new AuthError(code, details)
}

/** Fails with `validation_failed` and a text. */
export function failValidation(message: string): never {
  return fail('validation_failed', { message })
}

const VERSION_HEADER = 'x-supabase-api-version'
const NEW_ENVELOPE_SINCE = '2024-01-01'

/** Whether the caller reads the newer of the two error envelopes. */
const isNewEnvelopeRequested = (request: FastifyRequest): boolean => {
  const version = request.headers[VERSION_HEADER]
  return (
    typeof version === 'string' &&
    /^\d{4}-\d{2}-\d{2}$/.test(version) &&
    !Number.isNaN(Date.parse(version)) &&
    version >= NEW_ENVELOPE_SINCE
  )
}

/** Answers in the envelope the caller reads (auth-protocol §2.1). */
export function sendAuthError(request: FastifyRequest, reply: FastifyReply, error: AuthError) {
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

/** Any error as one of the protocol; what is no expected failure is logged, without what people wrote. */
export function toAuthError(error: unknown, request: FastifyRequest): AuthError {
  if (error instanceof AuthError) return error
  if (error instanceof Refusal && (error.code === 'busy' || error.code === 'too_many_requests')) {
    return new AuthError('over_request_rate_limit', error.details)
  }
  const { code, statusCode } = error as Partial<FastifyError>
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new AuthError('request_entity_too_large')
  if (statusCode !== undefined && statusCode < 500) return new AuthError('bad_json')
  // a client retries a 5xx for half a minute: a lock not had in time is no fault
  if (sqlState(error) === LOCK_NOT_AVAILABLE) return new AuthError('conflict')
  request.log.error({ fault: describeError(error) }, 'auth request failed')
  return new AuthError(sqlState(error) === STATEMENT_CANCELED ? 'request_timeout' : 'unexpected_failure')
}

/** The error handler and the 404 of the auth protocol's part of the app. */
export function registerAuthErrorHandlers(app: FastifyInstance) {
  app.setErrorHandler((error, request, reply) => sendAuthError(request, reply, toAuthError(error, request)))
  app.setNotFoundHandler((request, reply) => sendAuthError(request, reply, new AuthError('not_found')))
}
