import type { FastifyInstance } from 'fastify'
import type { WorkClass } from './work-class.ts'

/** A response that was sent, as the log and the metrics count it. */
type SentResponse = {
  requestId: string
  method: string
  /** The route's pattern, never the address with its ids. */
  route: string
  status: number
  ms: number
  workClass: WorkClass | null
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Calls the listener with every response, once it was sent. */
    onSentResponse(listener: (response: SentResponse) => void): void
  }
}

/** Lets the log and the metrics count the responses of the whole app. A listener may be added once the routes are there, unlike a hook. */
export function registerSentResponses(app: FastifyInstance) {
  const listeners: ((response: SentResponse) => void)[] = []
  app.decorate('onSentResponse', (listener) => void listeners.push(listener))
  app.addHook('onResponse', (request, reply, done) => {
    const response = {
      requestId: request.id,
      method: request.method,
      route: request.route ?? 'none',
      status: reply.statusCode,
      ms: reply.elapsedTime,
      workClass: request.workClass,
    }
    for (const listener of listeners) listener(response)
    done()
  })
}

/** Logs one line per response. */
export function registerRequestLog(app: FastifyInstance) {
  app.onSentResponse(({ requestId, method, route, status, ms }) =>
    app.log.info({ reqId: requestId, method, route, status, ms: Math.round(ms * 10) / 10 }, 'request'),
  )
}
