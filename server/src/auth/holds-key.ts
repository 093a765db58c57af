import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { bearerOf } from './authenticate.ts'

const digest = (text: string) => createHash('sha256').update(text).digest()

/** Whether a request's bearer is one of our own keys (`SERVICE_KEY`, `SERVICE_ROLE_KEY`); never when it is not set. */
export function holdsKey(request: FastifyRequest, key: string | undefined): boolean {
  const given = bearerOf(request)
  // digests, so that neither the time nor a length tells how much of a guess was right
  return given !== null && key !== undefined && timingSafeEqual(digest(given), digest(key))
}
