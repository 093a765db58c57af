import type { FastifyRequest } from 'fastify'
import { isEmail, isUnwritable, normalizeEmail, UNWRITABLE_EMAIL_TEXT } from '#contract/addresses.ts'
import type { AuthContext } from '../context.ts'
import { failValidation } from '../errors.ts'
import { findAllowedRedirect } from '../redirects.ts'

/** Returns the first value of a query parameter; '' when there is none. */
export function readQueryParam(request: FastifyRequest, name: string): string {
  const value = (request.query as Record<string, string | string[] | undefined>)[name]
  return (Array.isArray(value) ? value[0] : value) ?? ''
}

/**
 * Returns the page a request wants its link to lead to; null when it names none, or one that is not allowed. The first
 * of header, query and Referer that names one counts.
 */
export const getRequestedRedirect = ({ config }: AuthContext, request: FastifyRequest): string | null =>
  findAllowedRedirect(
    request.headers['redirect_to'] || readQueryParam(request, 'redirect_to') || request.headers.referer,
    config,
  )

/** Validates an address and returns its stored form. @throws AuthError `validation_failed` */
export function parseEmail(input: string): string {
  const email = normalizeEmail(input)
  if (Buffer.byteLength(email) > 255) failValidation('An email address is too long')
  if (isUnwritable(email)) failValidation(UNWRITABLE_EMAIL_TEXT)
  return isEmail(email) ? email : failValidation('Unable to validate email address: invalid format')
}

/** Refuses half of the pair of PKCE parameters, as GoTrue does. PKCE itself is not offered. */
export function checkPkce({
  code_challenge,
  code_challenge_method,
}: {
  code_challenge?: string | undefined
  code_challenge_method?: string | undefined
}): void {
  if (!code_challenge !== !code_challenge_method) {
    failValidation('PKCE flow requires code_challenge_method and code_challenge')
  }
}
