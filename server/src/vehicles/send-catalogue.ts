import type { FastifyReply, FastifyRequest } from 'fastify'
import { acceptedEncodings, matchesEtag } from '../http/request-headers.ts'
import { CATALOGUE_REPRESENTATIONS, type Encoding } from './catalogue.ts'

/** Answers with the catalogue of makes and models from memory, or with 304 to who has it. */
export function sendCatalogue({ headers }: FastifyRequest, reply: FastifyReply): FastifyReply {
  const encodings = acceptedEncodings(headers['accept-encoding'] ?? '').add('identity' satisfies Encoding)
  const { encoding, bytes, etag } = CATALOGUE_REPRESENTATIONS.find((representation) =>
    encodings.has(representation.encoding),
  )!
  reply.headers({ etag, 'cache-control': 'public, max-age=3600', vary: 'accept-encoding' })
  if (matchesEtag(headers['if-none-match'] ?? '', etag)) return reply.code(304).send()
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  return reply.type('application/json; charset=utf-8').send(bytes)
}
