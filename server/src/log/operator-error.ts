/**
 * Says in one line what is wrong and what to do about it, to the person who runs the server. Everything else that is thrown
 * at a start or in a command is reported with its stack.
 */
export class OperatorError extends Error {
  readonly isOperatorError = true
}

/** Returns whether the message is for the operator. Judged by the property, because `postgres/` stands alone and has error classes of its own. */
export const isOperatorError = (error: unknown): error is Error =>
  error instanceof Error && 'isOperatorError' in error && error.isOperatorError === true
