import type { FastifyBaseLogger } from 'fastify'
import pino, { type DestinationStream } from 'pino'
import { openStderr } from './stderr.ts'

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
    destination ?? openStderr(),
  )
