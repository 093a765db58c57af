import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { ERROR_STATUS } from '#contract/errors.ts'
import { LOCALES, type Locale } from '#contract/product.ts'
import type { Config } from '../config.ts'
import { requestLocale } from '../locale.ts'
import { ERROR_HEADERS, errorBody } from './errors.ts'
import { newRequestId, REQUEST_ID_HEADER, securityHeaders } from './security-headers.ts'
import { workClassOf } from './work-class.ts'

/** Refuses a call, or returns false when it leaves it to Fastify. */
export type RefuseEarly = (request: IncomingMessage, response: ServerResponse) => boolean

/**
 * Returns a function for the listener of Node's server that refuses calls with `busy` while all places are taken, before
 * Fastify makes its objects of them and runs its hooks. The response is that of `sendError`, and the log and the metrics count
 * it as any other; it only costs less, and refusals are most of what a process under overload does (decision overload-protection).
 *
 * It refuses what is certainly a call: an endpoint without parameters, in the plain spelling of its address. Fastify refuses the
 * others, and all of them while the process drains or stops, when the connection has to be closed too.
 *
 * @param app before its routes are registered
 */
export function createEarlyRefusal(
  app: FastifyInstance,
  { production }: Pick<Config, 'production'>,
  details: { retryAfterS: number },
  isOverloaded: () => boolean,
): RefuseEarly {
  const calls = new Set<string>()
  app.addHook('onRoute', ({ method: methods, url }) => {
    if (/[:*]/.test(url)) return
    for (const method of [methods].flat()) if (workClassOf(method, url) === 'calls') calls.add(`${method} ${url}`)
  })
  const status = ERROR_STATUS.busy
  const responses = Object.fromEntries(
    LOCALES.map((locale) => {
      const body = JSON.stringify(errorBody('busy', details, locale))
      const headers = {
        ...securityHeaders(production),
        'retry-after': details.retryAfterS,
        ...ERROR_HEADERS,
        'content-length': Buffer.byteLength(body),
      }
      return [locale, { headers: Object.entries(headers).flat(), body }]
    }),
  ) as Record<Locale, { headers: (string | number)[]; body: string }>

  return (request, response) => {
    if (!isOverloaded() || app.draining.aborted || !app.server.listening) return false
    const { method = '', url = '' } = request
    const route = url.split('?', 1)[0]!
    if (!calls.has(`${method} ${route}`)) return false
    const startedAt = performance.now()
    const requestId = newRequestId()
    const { headers, body } = responses[requestLocale(request)]
    response.writeHead(status, [...headers, REQUEST_ID_HEADER, requestId]).end(body)
    app.noteSentResponse({ requestId, method, route, status, ms: performance.now() - startedAt, workClass: 'calls' })
    return true
  }
}
