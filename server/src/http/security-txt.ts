import type { FastifyInstance } from 'fastify'
import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import type { Config } from '../config.ts'
import { DAY_S } from '../time.ts'

/**
 * Until when somebody has promised to read what is reported (RFC 9116 §2.5.5): less than a year, and renewed by the
 * maintainers of the product, so not computed. A test fails in its last 30 days. `SECURITY.md` names it too.
 */
export const SECURITY_TXT_EXPIRES = '2027-11-01T00:00:00.000Z'

const getSecurityTxt = endpoint({
  method: 'GET',
  path: '/.well-known/security.txt',
  audience: 'public',
  summary: 'How to report a vulnerability (RFC 9116).',
  output: z.string(),
  responseType: 'text/plain',
})

/** Registers `/.well-known/security.txt`, which says how to report a vulnerability (RFC 9116). */
export function securityTxtRoute(app: FastifyInstance, { PUBLIC_URL, SUPPORT_EMAIL }: Config) {
  const lines = [
    `Contact: mailto:${SUPPORT_EMAIL}?subject=Security`,
    `Expires: ${SECURITY_TXT_EXPIRES}`,
    'Preferred-Languages: en, fr',
    `Canonical: ${PUBLIC_URL}/.well-known/security.txt`,
  ]
  const text = `${lines.join('\n')}\n`
  app.get(getSecurityTxt.path, { config: { endpoint: getSecurityTxt } }, async (_, reply) =>
    reply.type('text/plain; charset=utf-8').header('cache-control', `public, max-age=${DAY_S}`).send(text),
  )
}
