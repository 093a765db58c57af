import { randomUUIDv7 } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** The header with the id by which a response is found in the log. */
const REQUEST_ID_HEADER = 'x-request-id'

/** Returns a new id of a request: a UUIDv7, so that ids sort by time. */
export const newRequestId = (): string => randomUUIDv7()

type PageHashes = { scripts: string[]; styles: string[] }

/** The policy of everything but our pages: nothing may be loaded or framed. */
const API_CSP = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

/**
 * Returns a function from a built page to its content security policy (CSP level 3): own scripts and styles only, inline ones
 * by the hashes of exactly that page, no `unsafe-inline`.
 *
 * @param file the hashes of each page, written by the build
 */
export function loadPagePolicies(file: string): (page: string) => string {
  const pages = JSON.parse(readFileSync(file, 'utf8')) as Record<string, PageHashes>
  return (page) => {
    const { scripts, styles } = pages[page] ?? { scripts: [], styles: [] }
    return [
      "default-src 'none'",
      ["script-src 'self'", ...scripts].join(' '),
      ["style-src 'self'", ...styles].join(' '),
      "img-src 'self' data: blob:",
      "font-src 'self'",
      "connect-src 'self'",
      "manifest-src 'self'",
      "worker-src 'self'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ].join('; ')
  }
}

/** The headers of every response. */
const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(self), geolocation=(), microphone=()',
  'content-security-policy': API_CSP,
}
const SECURITY_HEADERS_WITH_HSTS = {
  ...SECURITY_HEADERS,
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
}

/** Returns the headers of every response besides its id; in production also HSTS. */
const securityHeaders = (production: boolean) => (production ? SECURITY_HEADERS_WITH_HSTS : SECURITY_HEADERS)

/** Sets the headers of every response. */
export const setSecurityHeaders = (request: FastifyRequest, reply: FastifyReply, production: boolean): FastifyReply =>
  reply.headers(securityHeaders(production)).header(REQUEST_ID_HEADER, request.id)

/** Sets them on every response of the app, before anything else runs. */
export function registerSecurityHeaders(app: FastifyInstance, production: boolean) {
  app.addHook('onRequest', (request, reply, done) => {
    setSecurityHeaders(request, reply, production)
    done()
  })
}
