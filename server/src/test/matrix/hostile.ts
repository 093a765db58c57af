import { connect } from 'node:net'
import { runsAll } from '../runs-all.ts'
import type { MatrixRequest } from './requests.ts'

/** A JSON Schema as the OpenAPI document has it, as far as it leads to texts. */
type Schema = {
  type?: string
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, Schema>
  items?: Schema
  oneOf?: Schema[]
  anyOf?: Schema[]
}
type Operation = {
  parameters?: { name: string; in: string }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}
export type OpenApi = { paths: Record<string, Record<string, Operation>> }

/** Texts that have broken software before. `npm test` uses the first of them. */
const ALL_TEXTS = [
  'a\0b',
  '\ud800',
  '9'.repeat(400),
  '',
  'é'.repeat(70_000),
  "'; drop table auth.users; --",
  '__proto__',
  '275760-09-13T00:00:00.001Z',
  'x\r\nSet-Cookie: a=b',
  '\u202etxt\u200b\ufeff',
  '\u0301'.repeat(500),
  '<script>alert(1)</script>{{7*7}}',
  '../../../../etc/passwd',
  '%00%ff%2e%2e%s%n',
  '00000000-0000-0000-0000-000000000000',
  'İıŞßﬃ👩‍👩‍👧‍👦🇨🇦',
  '-1',
  '1e309',
  `${'a'.repeat(64)}@${'b'.repeat(63)}.example.com`,
]
const TEXTS = runsAll ? ALL_TEXTS : ALL_TEXTS.slice(0, 3)

/** Bodies that are no JSON object. */
const BODIES = ['', 'null', '[]', '"x"', '{"a":', '\ufeff{}', '{}{}', `${'['.repeat(2_000)}${']'.repeat(2_000)}`]

/** Headers that mean something to a server. In `npm test` each has a third of the values. */
const HEADERS = ['accept', 'accept-encoding', 'accept-language', 'authorization', 'content-type', 'cookie', 'idempotency-key', 'if-none-match', 'last-event-id', 'origin', 'range', 'user-agent', 'x-forwarded-for', 'x-forwarded-host', 'x-request-id'] // biome-ignore format: one line
const HEADER_VALUES = ['', '*', ',,;;q=', 'fr;q=x', 'bytes=0-,-1', '::1', '[', '\xff\xfe', 'x'.repeat(7_000)]

type HostileRequest = { path: string; body?: string; headers: Record<string, string> }
const FORM = 'application/x-www-form-urlencoded'

/** Yields the ways to the texts of a body. */
function* textsIn(schema: Schema): Generator<string[]> {
  for (const shape of [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])]) yield* textsIn(shape)
  if (schema.type === 'string' && !('const' in schema)) yield []
  for (const [name, one] of Object.entries(schema.properties ?? {}))
    for (const way of textsIn(one)) yield [name, ...way]
  for (const way of schema.items ? textsIn(schema.items) : []) yield ['0', ...way]
}

/** Returns a copy of a JSON value with something else at the end of the way. */
function put(into: unknown, [name, ...way]: string[], value: unknown): unknown {
  if (name === undefined) return value
  if (name === '0') return [put(undefined, way, value)]
  const fields = (into ?? {}) as Record<string, unknown>
  return { ...fields, [name]: put(fields[name], way, value) }
}

const encode = (text: string) => encodeURIComponent(text.toWellFormed()).slice(0, 9_000)

/**
 * Yields requests that are good but for one text, which stands in turn in every part of the address, every parameter of the
 * query and every field of the body; of one address also in every header, and bodies that are no JSON object.
 *
 * @param url as the router has it
 * @param good with things that are there
 */
export function* hostileRequests(
  { paths }: OpenApi,
  method: string,
  url: string,
  { path, body, form }: MatrixRequest & { path: string },
): Generator<HostileRequest> {
  const { parameters = [], requestBody } = paths[url.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()] ?? {}
  const isForm = form instanceof URLSearchParams
  const fields = isForm ? Object.fromEntries(form) : (body as Record<string, unknown> | undefined)
  const headers = { 'content-type': isForm ? FORM : 'application/json' }
  const withBody = (sent: unknown) =>
    isForm ? new URLSearchParams(sent as Record<string, string>).toString() : JSON.stringify(sent)
  const good = { headers, ...(fields && { body: withBody(fields) }) }
  const [address = '', query] = path.split('?')
  const segments = address.split('/')
  for (const text of TEXTS) {
    for (const [i, segment] of url.split('/').entries())
      if (segment.startsWith(':'))
        yield { ...good, path: segments.with(i, encode(text)).join('/') + (query ? `?${query}` : '') }
    for (const { name } of parameters.filter((one) => one.in === 'query'))
      yield { ...good, path: `${path}${query ? '&' : '?'}${name}=${encode(text)}` }
  }
  if (!fields) return
  const schema = requestBody?.content['application/json']?.schema ?? {}
  for (const way of [...textsIn(schema), ...Object.keys(fields).map((name) => [name])])
    for (const text of TEXTS) yield { path, headers, body: withBody(put(fields, way, text)) }
  if (url !== '/api/messages') return
  for (const text of [...BODIES, `{"__proto__":{"is_admin":true},${good.body!.slice(1)}`])
    yield { path, headers, body: text }
  for (const [i, name] of HEADERS.entries())
    for (const value of HEADER_VALUES.filter((_, k) => runsAll || (i + k) % 3 === 0))
      yield { ...good, path: `${path}?a[b]=c&__proto__=d`, headers: { ...headers, [name]: value } }
}

/** Requests that lie about themselves, or are none. */
export const MALFORMED_BYTES = [
  'POST /api/messages HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{"plate"',
  'POST /api/messages HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"a":\r\n',
  'POST /api/messages HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}',
  'POST /api/messages HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
  'POST /api/attachments HTTP/1.1\r\nhost: x\r\ncontent-type: multipart/form-data; boundary=x\r\ncontent-length: 40\r\n\r\n--x\r\ncontent-disposition: form-data; name=',
  'GÉT / HTTP/1.1\r\nhost: x\r\n\r\n',
  'PROPFIND / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n',
  'GET /%ff/%00/..;/// HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n',
  'GET http://[::1 HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n',
  '\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03',
]

/** Sends bytes and no more. Resolves with what came back, once the server has closed the connection. */
export const sendBytes = (port: number, bytes: string): Promise<string> =>
  new Promise((resolve) => {
    let received = ''
    const socket = connect({ port, host: '127.0.0.1' })
    socket.on('error', () => {}) // a server that refuses a request closes the connection while it is still being sent
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
    })
    socket.once('close', () => resolve(received))
    socket.end(bytes, 'latin1')
  })
