import type { FastifyRequest } from 'fastify'
import type { AppContext } from '../context.ts'
import type { DecryptContext } from '../encryption/decrypt-for-display.ts'
import { requestLocale } from '../locale.ts'

/** Returns what is needed to show encrypted texts to the caller of a request, in the language of the request. */
export const decryptContextFor = ({ keyring, log }: AppContext, request: FastifyRequest): DecryptContext => ({
  keyring,
  log,
  locale: requestLocale(request),
})
