import { randomUUIDv7 } from 'node:crypto'

/** The header with the id by which a response is found in the log. */
export const REQUEST_ID_HEADER = 'x-request-id'

/** Returns a new id of a request: a UUIDv7, so that ids sort by time. */
export const newRequestId = (): string => randomUUIDv7()
