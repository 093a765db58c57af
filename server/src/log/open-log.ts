import type { FastifyInstance } from 'fastify'
import pino, { type DestinationStream, type Logger } from 'pino'

/**
 * JSON logs on standard error; standard output is for the one line that says the server is ready. Nothing about a
 * person is logged: no addresses, no bodies, no query strings, no error messages of the database.
 *
 * @param destination where to, other than standard error
 */
export const createLogger = (level: string, destination?: DestinationStream): Logger =>
  pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      // objects that others hand in are cut to what is known to be harmless
      serializers: { req: () => undefined, res: () => undefined, err: (error: Error) => ({ name: error.name }) },
    },
    destination ?? bufferedStderr(),
  )

/** Lines are written together, a quarter of a second late at most and in any case before the process ends. */
function bufferedStderr(): DestinationStream {
  const destination = pino.destination({ dest: 2, sync: false, minLength: 4_096 })
  setInterval(() => destination.flush(), 250).unref()
  return destination
}

/** One line for each answer: the route's pattern, never the address with its ids. */
export function registerRequestLog(app: FastifyInstance) {
  app.addHook('onResponse', (request, reply, done) => {
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url ?? 'none',
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
      },
      'request',
    )
    done()
  })
}
