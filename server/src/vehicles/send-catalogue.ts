import type { FastifyReply, FastifyRequest } from 'fastify'
import { acceptedEncodings, holdsTag } from '../http/request-headers.ts'
import { type Encoding, REPRESENTATIONS } from './catalogue.ts'

/** Answers with the catalogue of makes and models from memory, or with 304 to who has it. */
export function sendCatalogue({ headers }: FastifyRequest, reply: FastifyReply): FastifyReply {
  const encodings = acceptedEncodings(headers['accept-encoding'] ?? '').add('identity' satisfies Encoding)
  const { encoding, bytes, etag } = REPRESENTATIONS.find((it) => encodings.has(it.encoding))!
  reply.headers({ etag, 'cache-control': 'public, max-age=3600', vary: 'accept-encoding' })
  if (holdsTag(headers['if-none-match'] ?? '', etag)) return reply.code(304).send()
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  return reply.type('application/json; charset=utf-8').send(bytes)
}
