import type { FastifyReply, FastifyRequest } from 'fastify'
import { holdsTag } from '../http/holds-tag.ts'
import { type Encoding, REPRESENTATIONS } from './catalogue.ts'

/** The encodings a caller takes besides the plain one: those named without a weight of zero (RFC 9110 §12.5.3). */
export function accepted(header: string): Set<string> {
  // trimmed, not split by a pattern with white space: that takes the square of the header's length
  const named = header.split(',').map((part) =>
    part
      .toLowerCase()
      .split(';')
      .map((word) => word.trim()),
  )
  return new Set(named.filter(([, weight]) => !/^q=0(\.0*)?$/.test(weight ?? '')).map(([name]) => name ?? ''))
}

/** Answers with the catalogue of makes and models from memory, or with 304 to who has it. */
export function sendCatalogue({ headers }: FastifyRequest, reply: FastifyReply): FastifyReply {
  const encodings = accepted(headers['accept-encoding'] ?? '').add('identity' satisfies Encoding)
  const { encoding, bytes, etag } = REPRESENTATIONS.find((it) => encodings.has(it.encoding))!
  reply.headers({ etag, 'cache-control': 'public, max-age=3600', vary: 'accept-encoding' })
  if (holdsTag(headers['if-none-match'] ?? '', etag)) return reply.code(304).send()
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  return reply.type('application/json; charset=utf-8').send(bytes)
}
