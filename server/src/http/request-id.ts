import { randomUUIDv7 } from 'node:crypto'

/** Has the id by which an answer is found in the log. */
export const REQUEST_ID_HEADER = 'x-request-id'

export const newRequestId = (): string => randomUUIDv7()
