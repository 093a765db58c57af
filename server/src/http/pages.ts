import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { pagePolicies } from './headers.ts'

type Page = { etag: string; policy: string; plain: Buffer; br: Buffer | null; gzip: Buffer | null }

/**
 * The built pages by their path in the build (`/login/index.html`), held in memory from the start: a page and the policy
 * that names its scripts' hashes are always of one build, also when the files are built anew under a running server.
 */
export function readPages(root: string): Map<string, Page> {
  const client = join(root, 'client')
  const policy = pagePolicies(join(root, 'csp.json'))
  return new Map(
    globSync('**/*.html', { cwd: client }).map((file) => {
      const path = `/${file.replaceAll('\\', '/')}`
      const plain = readFileSync(join(client, file))
      const compressed = (ending: string) =>
        existsSync(join(client, file + ending)) ? readFileSync(join(client, file + ending)) : null
      const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`
      return [path, { etag, policy: policy(path), plain, br: compressed('.br'), gzip: compressed('.gz') }]
    }),
  )
}

/** Answers with a page, compressed as the browser takes it (RFC 9110 §8.4), or with 304 when it has this very page. */
export function sendPage(request: FastifyRequest, reply: FastifyReply, status: 200 | 404, page: Page) {
  const accepted = request.headers['accept-encoding'] ?? ''
  const takes = (coding: string) =>
    new RegExp(`\\b${coding}\\b(?!\\s*;\\s*q=0(?:\\.0*)?(?:\\s*,|\\s*$))`, 'i').test(accepted)
  const [coding, body] =
    page.br && takes('br')
      ? ['br', page.br]
      : page.gzip && takes('gzip')
        ? ['gzip', page.gzip]
        : [undefined, page.plain]
  reply
    .header('content-security-policy', page.policy)
    .header('cache-control', 'no-cache')
    .header('vary', 'Accept-Encoding')
    .header('etag', page.etag)
  if (status === 200 && request.headers['if-none-match'] === page.etag) return reply.code(304).send()
  if (coding) reply.header('content-encoding', coding)
  return reply.code(status).type('text/html; charset=utf-8').send(body)
}
