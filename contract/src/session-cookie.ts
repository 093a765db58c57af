// chunk: base

import type { Locale } from './product.ts'

/** The header by which our pages ask for a session in a cookie: then no body has a refresh token (auth-protocol §1.16). */
export const COOKIE_HEADER = 'session-cookie'

/**
 * The cookies of a session: its refresh token, which no script can read, and whose it is, which pages read before they are painted.
 * The prefix keeps subdomains from setting them (RFC 6265bis §4.1.3.2); browsers take it over https only, and with the path `/`.
 */
export const cookieNames = (isSecure: boolean) => {
  const prefix = isSecure ? '__Host-platenote' : 'platenote'
  return { session: `${prefix}-session`, account: `${prefix}-account` }
}

/** Returns what the second cookie says: whose account it is, and its language, which pages open in. */
export const toAccountCookie = (userId: string, locale: Locale): string => `${userId}.${locale}`

/** Ends the second cookie where a language was chosen in this browser that the account does not have yet. */
export const UNSAVED = '.unsaved'
