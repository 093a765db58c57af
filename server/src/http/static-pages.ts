import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { loadPagePolicies } from './security-headers.ts'
import { fillSlots, type TemplateFunction } from './template.ts'

const [brotli, deflate] = [promisify(brotliCompress), promisify(gzip)]
const COMPRESSORS = { br: (text: Buffer) => brotli(text), gzip: (text: Buffer) => deflate(text, { level: 9 }) }
type Encoding = keyof typeof COMPRESSORS
const ENCODINGS: Encoding[] = ['br', 'gzip']
/** Compressing less gains nothing. */
const MIN_COMPRESS_BYTES = 512

/** What is sent from memory. */
type CachedContent = {
  type: string
  /** Identifies the content; the ETag of each encoding is derived from it. */
  hash: string
  plain: Buffer
  /** The headers of a request that it depends on; that of the encodings alone by default. */
  vary?: string
  /** Compressed at the first request for the encoding, and then cached. */
  compressed: Partial<Record<Encoding, Promise<Buffer>>>
}

/** A page with this installation's settings filled in; `template` is one with slots (`fillSlots`), which are empty in the page itself. */
export type StaticPage = CachedContent & { policy: string; template: string }

export const cacheContent = (type: string, plain: Buffer): CachedContent => ({
  type,
  hash: createHash('sha256').update(plain).digest('base64url').slice(0, 22),
  plain,
  compressed: {},
})

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
      const template = fill(readFileSync(join(client, file), 'utf8'))
      return [path, makePage({ type: contentType(path), policy: policy(path) }, template)]
    }),
  )
}

/** Returns a page from its template: nothing is typed yet, and nothing wrong. */
export const makePage = ({ type, policy }: Pick<StaticPage, 'type' | 'policy'>, template: string): StaticPage => ({
  ...cacheContent(type, Buffer.from(fillSlots(template, { BLANK: 'yes' }))),
  policy,
  template,
})

const contentType = (path: string) =>
  path.endsWith('.html')
    ? 'text/html; charset=utf-8'
    : path.endsWith('.xml')
      ? 'application/xml'
      : 'text/plain; charset=utf-8'

/** Sends a page, or 304 when the browser has it. */
export function sendPage(request: FastifyRequest, reply: FastifyReply, status: 200 | 404, page: StaticPage) {
  reply
    .header('content-security-policy', page.policy)
    .header('cache-control', 'no-cache')
    .header('server-timing', `now;dur=${Date.now()}`) // the clock of the device may be wrong (web/src/lib/time/now.ts)
  return sendCached(request, reply, status, page)
}

/**
 * Sends content in an encoding the browser accepts (RFC 9110 §8.4), or 304 when it already has it in this encoding: other bytes
 * have another tag (§8.8.3.3).
 */
export async function sendCached(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  status: number,
  content: CachedContent,
) {
  const accepted = acceptedEncodings(headers['accept-encoding'] ?? '')
  const encoding = content.plain.length < MIN_COMPRESS_BYTES ? undefined : ENCODINGS.find((name) => accepted.has(name))
  const etag = encoding ? `"${content.hash}-${encoding}"` : `"${content.hash}"`
  reply.header('vary', content.vary ?? 'Accept-Encoding').header('etag', etag)
  if (status === 200 && matchesEtag(headers['if-none-match'] ?? '', etag)) return reply.code(304).send()
  const body = encoding ? await compress(content, encoding) : content.plain
  if (encoding) reply.header('content-encoding', encoding)
  return reply.code(status).type(content.type).send(body)
}

function compress(content: CachedContent, encoding: Encoding): Promise<Buffer> {
  const cached = content.compressed[encoding]
  if (cached) return cached
  const compressed = COMPRESSORS[encoding](content.plain).catch((error: unknown) => {
    delete content.compressed[encoding] // the next request tries again
    throw error
  })
  content.compressed[encoding] = compressed
  return compressed
}

/**
 * Returns the encodings a client accepts besides the plain one: those named without a weight of zero (RFC 9110 §12.5.3).
 *
 * @param acceptEncoding the header, empty when there is none
 */
export function acceptedEncodings(acceptEncoding: string): Set<string> {
  // trimmed, not split by a pattern with white space, which takes time quadratic in the header's length
  const entries = acceptEncoding.split(',').map((part) =>
    part
      .toLowerCase()
      .split(';')
      .map((word) => word.trim()),
  )
  return new Set(entries.filter(([, weight]) => !/^q=0(\.0*)?$/.test(weight ?? '')).map(([name]) => name ?? ''))
}

/**
 * Returns whether the client already has the content of a tag, by the weak comparison RFC 9110 §13.1.2 requires.
 *
 * @param ifNoneMatch the header, empty when there is none
 */
const matchesEtag = (ifNoneMatch: string, etag: string): boolean =>
  ifNoneMatch.trim() === '*' || ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
