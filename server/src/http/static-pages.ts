import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { acceptedEncodings, matchesEtag } from './request-headers.ts'
import { loadPagePolicies } from './security-headers.ts'
import type { TemplateFunction } from './template.ts'

const [brotli, deflate] = [promisify(brotliCompress), promisify(gzip)]
const COMPRESSORS = { br: (text: Buffer) => brotli(text), gzip: (text: Buffer) => deflate(text, { level: 9 }) }
type Encoding = keyof typeof COMPRESSORS
const ENCODINGS: Encoding[] = ['br', 'gzip']
/** Compressing less gains nothing. */
const MIN_COMPRESS_BYTES = 512

/** A page with this installation's settings filled in. */
export type StaticPage = {
  type: string
  /** Identifies the content; the ETag of each encoding is derived from it. */
  hash: string
  policy: string
  plain: Buffer
  /** Compressed at the first request for the encoding, and then cached. */
  compressed: Partial<Record<Encoding, Promise<Buffer>>>
}

/**
 * Loads the built pages by their path in the build (`/login/index.html`), and the text files search engines request, filled
 * with the installation's settings. They stay in memory: a page and the policy with its scripts' hashes are always of one
 * build, even when the files are rebuilt while the server is running.
 */
export function loadPages(root: string, fill: TemplateFunction): Map<string, StaticPage> {
  const client = join(root, 'client')
  const policy = loadPagePolicies(join(root, 'csp.json'))
  return new Map(
    globSync(['**/*.html', 'robots.txt', 'sitemap.xml'], { cwd: client }).map((file) => {
      const path = `/${file.replaceAll('\\', '/')}`
      const plain = Buffer.from(fill(readFileSync(join(client, file), 'utf8')))
      const hash = createHash('sha256').update(plain).digest('base64url').slice(0, 22)
      return [path, { type: contentType(path), hash, policy: policy(path), plain, compressed: {} }]
    }),
  )
}

const contentType = (path: string) =>
  path.endsWith('.html')
    ? 'text/html; charset=utf-8'
    : path.endsWith('.xml')
      ? 'application/xml'
      : 'text/plain; charset=utf-8'

/**
 * Sends a page in an encoding the browser accepts (RFC 9110 §8.4), or 304 when it already has this page in this encoding:
 * other bytes have another tag (§8.8.3.3).
 */
export async function sendPage(request: FastifyRequest, reply: FastifyReply, status: 200 | 404, page: StaticPage) {
  const accepted = acceptedEncodings(request.headers['accept-encoding'] ?? '')
  const encoding = page.plain.length < MIN_COMPRESS_BYTES ? undefined : ENCODINGS.find((name) => accepted.has(name))
  const etag = encoding ? `"${page.hash}-${encoding}"` : `"${page.hash}"`
  reply
    .header('content-security-policy', page.policy)
    .header('cache-control', 'no-cache')
    .header('vary', 'Accept-Encoding')
    .header('etag', etag)
    .header('server-timing', `now;dur=${Date.now()}`) // the clock of the device may be wrong (web/src/lib/time/now.ts)
  if (status === 200 && matchesEtag(request.headers['if-none-match'] ?? '', etag)) return reply.code(304).send()
  const body = encoding ? await compressPage(page, encoding) : page.plain
  if (encoding) reply.header('content-encoding', encoding)
  return reply.code(status).type(page.type).send(body)
}

function compressPage(page: StaticPage, encoding: Encoding): Promise<Buffer> {
  const cached = page.compressed[encoding]
  if (cached) return cached
  const compressed = COMPRESSORS[encoding](page.plain).catch((error: unknown) => {
    delete page.compressed[encoding] // the next request tries again
    throw error
  })
  page.compressed[encoding] = compressed
  return compressed
}
