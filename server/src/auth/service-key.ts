import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { readBearerToken } from './authenticate.ts'

const digest = (text: string) => createHash('sha256').update(text).digest()

/** Whether a request's bearer is one of our own keys (`SERVICE_KEY`, `SERVICE_ROLE_KEY`); never when it is not set. */
export function hasServiceKey(request: FastifyRequest, key: string | undefined): boolean {
  const token = readBearerToken(request)
  // digests, so that neither the time nor a length tells how much of a guess was right
  return token !== null && key !== undefined && timingSafeEqual(digest(token), digest(key))
}
