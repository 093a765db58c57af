import type { FastifyReply, FastifyRequest } from 'fastify'
import { cacheContent, sendCached } from '../http/static-pages.ts'
import type { FieldError } from '../refusal.ts'
import catalogue from './make-models.json' with { type: 'json' }

// a map, because a plain object also has "constructor" and "__proto__"
const modelsByMake = new Map(Object.entries<string[]>(catalogue).map(([make, models]) => [make, new Set(models)]))

/** Returns what is wrong with a make and a model, as `fields` of a refusal; null when the catalogue has them. */
export function validateMakeAndModel(make: string, model: string): { make: FieldError } | { model: FieldError } | null {
  const models = modelsByMake.get(make)
  if (!models) return { make: { code: 'make_unknown' } }
  return models.has(model) ? null : { model: { code: 'model_unknown' } }
}

const content = cacheContent('application/json; charset=utf-8', Buffer.from(JSON.stringify(catalogue)))

/** Sends the catalogue of makes and models from memory, or 304 to a client that has it. */
export const sendCatalogue = (request: FastifyRequest, reply: FastifyReply) =>
  sendCached(request, reply.header('cache-control', 'public, max-age=3600'), 200, content)
