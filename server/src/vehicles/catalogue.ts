import { createHash } from 'node:crypto'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { acceptedEncodings, matchesEtag } from '../http/request-headers.ts'
import catalogue from './make-models.json' with { type: 'json' }

// a map, because a plain object also has "constructor" and "__proto__"
const modelsByMake = new Map(Object.entries<string[]>(catalogue).map(([make, models]) => [make, new Set(models)]))

/** Returns what is wrong with a make and a model, as `fields` of a refusal; null when the catalogue has them. */
export function validateMakeAndModel(make: string, model: string): { make: string } | { model: string } | null {
  const models = modelsByMake.get(make)
  if (!models) return { make: 'Please choose a make from the list.' }
  return models.has(model) ? null : { model: 'Please choose a model of this make from the list.' }
}

type Encoding = 'br' | 'gzip' | 'identity'
type Representation = { encoding: Encoding; bytes: Buffer; etag: string }

const catalogueJson = Buffer.from(JSON.stringify(catalogue))
const createRepresentation = (encoding: Encoding, bytes: Buffer): Representation => ({
  encoding,
  bytes,
  // a strong tag names the bytes, so each encoding has its own (RFC 9110 §8.8.3.3)
  etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
})

/** The catalogue in each encoding, compressed once; the smallest first. */
const representations: readonly Representation[] = [
  createRepresentation('br', brotliCompressSync(catalogueJson)),
  createRepresentation('gzip', gzipSync(catalogueJson)),
  createRepresentation('identity', catalogueJson),
]

/** Sends the catalogue of makes and models from memory, or 304 to a client that has it. */
export function sendCatalogue({ headers }: FastifyRequest, reply: FastifyReply): FastifyReply {
  const encodings = acceptedEncodings(headers['accept-encoding'] ?? '').add('identity' satisfies Encoding)
  const { encoding, bytes, etag } = representations.find((representation) => encodings.has(representation.encoding))!
  reply.headers({ etag, 'cache-control': 'public, max-age=3600', vary: 'accept-encoding' })
  if (matchesEtag(headers['if-none-match'] ?? '', etag)) return reply.code(304).send()
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  return reply.type('application/json; charset=utf-8').send(bytes)
}
