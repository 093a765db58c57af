import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { pagePolicies } from './headers.ts'
import type { Fill } from './placeholders.ts'
import { acceptedEncodings, holdsTag } from './request-headers.ts'

const [brotli, deflate] = [promisify(brotliCompress), promisify(gzip)]
const COMPRESS = { br: (text: Buffer) => brotli(text), gzip: (text: Buffer) => deflate(text, { level: 9 }) }
type Coding = keyof typeof COMPRESS
const CODINGS: Coding[] = ['br', 'gzip']
/** Below, compression gains nothing. */
const SMALLEST_BYTES = 512

/** A page as this installation sends it. */
export type Page = {
  type: string
  /** Names the words of the page; the tag of each coding is made of it. */
  hash: string
  policy: string
  plain: Buffer
  /** Compressed when first asked for, and then kept. */
  compressed: Partial<Record<Coding, Promise<Buffer>>>
}

/**
 * The built pages by their path in the build (`/login/index.html`), and the text files search engines ask for, filled with
 * the installation's settings. In memory from the start: a page and the policy that names its scripts' hashes are always
 * of one build, also when the files are built anew under a running server.
 */
export function readPages(root: string, fill: Fill): Map<string, Page> {
  const client = join(root, 'client')
  const policy = pagePolicies(join(root, 'csp.json'))
  return new Map(
    globSync(['**/*.html', 'robots.txt', 'sitemap.xml'], { cwd: client }).map((file) => {
      const path = `/${file.replaceAll('\\', '/')}`
      const plain = Buffer.from(fill(readFileSync(join(client, file), 'utf8')))
      const hash = createHash('sha256').update(plain).digest('base64url').slice(0, 22)
      return [path, { type: typeOf(path), hash, policy: policy(path), plain, compressed: {} }]
    }),
  )
}

const typeOf = (path: string) =>
  path.endsWith('.html')
    ? 'text/html; charset=utf-8'
    : path.endsWith('.xml')
      ? 'application/xml'
      : 'text/plain; charset=utf-8'

/**
 * Answers with a page, compressed as the browser takes it (RFC 9110 §8.4), or with 304 when it has this very page in
 * this coding: other bytes have another tag (§8.8.3.3).
 */
export async function sendPage(request: FastifyRequest, reply: FastifyReply, status: 200 | 404, page: Page) {
  const accepted = acceptedEncodings(request.headers['accept-encoding'] ?? '')
  const coding = page.plain.length < SMALLEST_BYTES ? undefined : CODINGS.find((one) => accepted.has(one))
  const etag = coding ? `"${page.hash}-${coding}"` : `"${page.hash}"`
  reply
    .header('content-security-policy', page.policy)
    .header('cache-control', 'no-cache')
    .header('vary', 'Accept-Encoding')
    .header('etag', etag)
  if (status === 200 && holdsTag(request.headers['if-none-match'] ?? '', etag)) return reply.code(304).send()
  const body = coding ? await compressed(page, coding) : page.plain
  if (coding) reply.header('content-encoding', coding)
  return reply.code(status).type(page.type).send(body)
}

function compressed(page: Page, coding: Coding): Promise<Buffer> {
  const known = page.compressed[coding]
  if (known) return known
  const fresh = COMPRESS[coding](page.plain).catch((error: unknown) => {
    delete page.compressed[coding] // whoever asks next tries again
    throw error
  })
  page.compressed[coding] = fresh
  return fresh
}
