import type { WeakPasswordReason } from '#contract/passwords.ts'
import type { RateLimitResult } from '../limits/rate-limiter.ts'

/** Every error of the auth protocol with its usual status and text. Clients decide by the code. */
const AUTH_ERRORS = {
  anonymous_provider_disabled: [422, 'Anonymous sign-ins are disabled'],
  bad_json: [400, 'Could not read the request body as JSON'],
  bad_jwt: [403, 'invalid JWT: unable to parse or verify signature'],
  conflict: [409, 'Too many concurrent requests for this session'],
  current_password_invalid: [400, 'Current password is not correct'],
  current_password_required: [400, 'Current password is required to set a new password'],
  email_not_confirmed: [400, 'Email not confirmed'],
  insufficient_aal: [422, 'AAL2 required'],
  invalid_credentials: [400, 'Invalid login credentials'],
  mfa_challenge_expired: [
    422,
    'MFA challenge has expired, verify against another challenge or create a new challenge.',
  ],
  mfa_factor_name_conflict: [422, 'A factor with this friendly name already exists'],
  mfa_factor_not_found: [422, 'Factor not found'],
  mfa_phone_enroll_not_enabled: [422, 'MFA enroll is disabled for Phone'],
  mfa_verification_failed: [422, 'Invalid code or credential'],
  method_not_allowed: [405, 'Method not allowed'],
  no_authorization: [401, 'This endpoint requires a valid Bearer token'],
  not_admin: [403, 'User not allowed'],
  not_found: [404, 'Not found'],
  otp_expired: [403, 'Email link is invalid or has expired'],
  over_email_send_rate_limit: [429, 'email rate limit exceeded'],
  over_request_rate_limit: [429, 'Request rate limit reached'],
  reauthentication_needed: [400, 'Sign in with a code or link from your email to add a second factor'],
  refresh_token_already_used: [400, 'Invalid Refresh Token: Already Used'],
  refresh_token_not_found: [400, 'Invalid Refresh Token: Refresh Token Not Found'],
  request_entity_too_large: [413, 'Request body too large'],
  request_timeout: [504, 'Processing this request timed out, please retry after a moment.'],
  same_password: [422, 'New password should be different from the old password.'],
  session_expired: [400, 'Invalid Refresh Token: Session Expired'],
  session_not_found: [403, 'Session from session_id claim in JWT does not exist'],
  too_many_enrolled_mfa_factors: [422, 'Maximum number of factors reached, unenroll to continue'],
  unexpected_failure: [500, 'Unexpected failure, please try again later'],
  user_already_exists: [422, 'User already registered'],
  user_not_found: [403, 'User from sub claim in JWT does not exist'],
  validation_failed: [400, 'Validation failed'],
  weak_password: [422, 'Password is too weak'],
} as const satisfies Record<string, readonly [status: number, message: string]>

export type AuthErrorCode = keyof typeof AUTH_ERRORS

type AuthErrorDetails = {
  message?: string
  /** Replaces the usual status of the code. */
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

/** Throws an `AuthError`. */
export function fail(code: AuthErrorCode, details?: AuthErrorDetails): never {
  throw new AuthError(code, details)
}

/** Fails with 429 and Retry-After unless a limit allowed it. */
export function failOverLimit({ allowed, retryAfterS }: RateLimitResult): void {
  if (!allowed) fail('over_request_rate_limit', { retryAfterS })
}

/** Throws `validation_failed` with a text. */
export function failValidation(message: string): never {
  return fail('validation_failed', { message })
}
