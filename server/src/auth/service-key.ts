import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { readBearerToken } from './authenticate.ts'

const digest = (text: string) => createHash('sha256').update(text).digest()

/** Returns whether a request's bearer token is this key of ours (`SERVICE_KEY`, `SERVICE_ROLE_KEY`); never when it is not set. */
export function hasServiceKey(request: FastifyRequest, key: string | undefined): boolean {
  const token = readBearerToken(request)
  // compares digests, so that neither the time nor a length reveals how much of a guess was right
  return token !== null && key !== undefined && timingSafeEqual(digest(token), digest(key))
}
