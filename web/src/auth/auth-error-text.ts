import type { AuthError } from '@supabase/auth-js'
import { m } from '~/paraglide/messages'

/*
 * Words the errors of the auth protocol. Loaded together with the auth client, for its first call (`authRequest`).
 */

/** The text for every code of the protocol that can reach these screens. */
const TEXT_BY_CODE: Record<string, () => string> = {
  bad_json: m.auth_error_input,
  bad_jwt: m.auth_error_link,
  conflict: m.error_unexpected,
  current_password_required: m.auth_error_link, // the link was opened too long ago to replace the old password
  email_not_confirmed: m.auth_error_not_confirmed,
  invalid_credentials: m.auth_error_credentials,
  invalid_jwt: m.auth_error_link,
  insufficient_aal: m.factor_needed,
  mfa_challenge_expired: m.factor_expired,
  mfa_factor_name_conflict: m.factor_name_taken,
  mfa_factor_not_found: m.factor_gone,
  mfa_verification_failed: m.factor_not_accepted,
  no_authorization: m.auth_error_link,
  otp_expired: m.auth_error_link,
  over_email_send_rate_limit: m.auth_error_too_many_mails,
  over_request_rate_limit: m.auth_error_too_many,
  refresh_token_already_used: m.auth_error_link,
  refresh_token_not_found: m.auth_error_link,
  same_password: m.auth_error_same_password,
  session_not_found: m.auth_error_link,
  too_many_enrolled_mfa_factors: m.factor_too_many,
  user_already_exists: m.signup_exists,
  user_not_found: m.auth_error_link,
  validation_failed: m.auth_error_input,
  weak_password: m.auth_password_rule,
}

/**
 * Returns what to show for an error of the protocol.
 *
 * @param fallback the text for a code that means nothing to the user
 */
export function describeError(error: AuthError, fallback: string) {
  const code = error.name === 'AuthSessionMissingError' ? 'session_not_found' : error.code
  const text = isLeakedPassword(error) ? m.auth_error_leaked : TEXT_BY_CODE[code ?? '']
  return { text: text?.() ?? fallback, code, linkExpired: text === m.auth_error_link }
}

/** Returns whether a password follows every rule, but is known to be one of the most used. */
const isLeakedPassword = (error: AuthError) =>
  'reasons' in error && Array.isArray(error.reasons) && error.reasons.every((reason) => reason === 'pwned')
