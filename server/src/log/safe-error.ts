import { isOperatorError } from './operator-error.ts'

const MAX_STACK_LINES = 7

/** Returns the code of an error, or else its name, which quote nothing. */
export function errorCode(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown }
  return typeof code === 'string' ? code : String(name)
}

/**
 * Returns what may be logged of an error: never its message or detail, which can quote what people wrote, unless it is one
 * for whoever runs the server.
 */
export const describeError = (error: unknown) =>
  error instanceof Error
    ? {
        name: error.name,
        advice: isOperatorError(error) ? error.message : undefined,
        code: (error as { code?: unknown }).code,
        constraint: (error as { constraint?: unknown }).constraint,
        // a message may span several lines; only the lines of the stack itself are kept
        stack: error.stack
          ?.replace(error.message, '')
          .split('\n')
          .filter((line) => /^\s+at /.test(line))
          .slice(0, MAX_STACK_LINES)
          .map((line) => line.trim()),
      }
    : { name: typeof error }
