import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

type PageHashes = { scripts: string[]; styles: string[] }

/** The policy of everything that is no page of ours: nothing may be loaded or framed. */
const API_POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

/**
 * Content security policies (CSP level 3) of the built pages: own scripts and styles only, inline ones by the hash of
 * exactly that page; no `unsafe-inline`.
 *
 * @param file the hashes the build wrote, page by page
 */
export function pagePolicies(file: string): (page: string) => string {
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

/** Headers every answer carries; in production also HSTS. */
export function secure(request: FastifyRequest, reply: FastifyReply, production: boolean): FastifyReply {
  reply
    .header('x-request-id', request.id)
    .header('x-content-type-options', 'nosniff')
    .header('x-frame-options', 'DENY')
    .header('referrer-policy', 'strict-origin-when-cross-origin')
    .header('cross-origin-opener-policy', 'same-origin')
    .header('cross-origin-resource-policy', 'same-origin')
    .header('permissions-policy', 'camera=(self), geolocation=(), microphone=()')
    .header('content-security-policy', API_POLICY)
  if (production) reply.header('strict-transport-security', 'max-age=63072000; includeSubDomains')
  return reply
}

export function securityHeaders(app: FastifyInstance, production: boolean) {
  app.addHook('onRequest', async (request, reply) => void secure(request, reply, production))
}
