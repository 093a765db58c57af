import type { FastifyInstance } from 'fastify'

/** Logs one line per response. */
export function registerRequestLog(app: FastifyInstance) {
  app.onSentResponse(({ requestId, method, route, status, ms }) =>
    app.log.info({ reqId: requestId, method, route, status, ms: Math.round(ms * 10) / 10 }, 'request'),
  )
}
