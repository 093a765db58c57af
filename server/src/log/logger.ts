import type { FastifyBaseLogger } from 'fastify'
import pino, { type DestinationStream } from 'pino'

export type Logger = FastifyBaseLogger

/**
 * Creates the logger: JSON on standard error, because standard output is for the one line that says the server is ready.
 * Nothing about a person is logged: no addresses, no bodies, no query strings, no error messages of the database.
 *
 * @param destination where the lines go instead of standard error
 */
export const createLogger = (level: string, destination?: DestinationStream): Logger =>
  pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      // objects that libraries pass in are reduced to what is known to be harmless
      serializers: { req: () => undefined, res: () => undefined, err: (error: Error) => ({ name: error.name }) },
    },
    destination ?? bufferedStderr(),
  )

/** Writes lines in batches, at most a quarter of a second late and always before the process ends. */
function bufferedStderr(): DestinationStream {
  const destination = pino.destination({ dest: 2, sync: false, minLength: 4_096 })
  setInterval(() => destination.flush(), 250).unref()
  return destination
}
