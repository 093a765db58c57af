import { createHash } from 'node:crypto'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import catalogue from './make-models.json' with { type: 'json' }

// a map, because a plain object also has "constructor" and "__proto__"
const modelsByMake = new Map(Object.entries<string[]>(catalogue).map(([make, models]) => [make, new Set(models)]))

/** What is wrong with a make and a model, as `fields` of a refusal; null when the catalogue has them. */
export function validateMakeAndModel(make: string, model: string): { make: string } | { model: string } | null {
  const models = modelsByMake.get(make)
  if (!models) return { make: 'Please choose a make from the list.' }
  return models.has(model) ? null : { model: 'Please choose a model of this make from the list.' }
}

export type Encoding = 'br' | 'gzip' | 'identity'
type Representation = { encoding: Encoding; bytes: Buffer; etag: string }

const catalogueJson = Buffer.from(JSON.stringify(catalogue))
const createRepresentation = (encoding: Encoding, bytes: Buffer): Representation => ({
  encoding,
  bytes,
  // a strong tag names the bytes, so each encoding has its own (RFC 9110 §8.8.3.3)
  etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
})

/** The catalogue as it goes over the wire, made once; the smallest first. */
export const CATALOGUE_REPRESENTATIONS: readonly Representation[] = [
  createRepresentation('br', brotliCompressSync(catalogueJson)),
  createRepresentation('gzip', gzipSync(catalogueJson)),
  createRepresentation('identity', catalogueJson),
]
