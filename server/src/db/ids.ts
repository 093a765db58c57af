import { v7 } from 'uuid'

/**
 * Returns a UUIDv7 (RFC 9562 §5.7). Ids of one process rise strictly, within a millisecond too, so that lists may be ordered
 * and paged by id. Node's own `randomUUIDv7` does not promise that.
 */
export const newId = (): string => v7()

/** Returns a UUIDv7 of a moment, for a row that must not reveal when it was really written. */
export const newIdAt = (moment: Date): string => v7({ msecs: moment.getTime() })

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Returns whether something is a UUID, of any version. */
export const isUuid = (value: unknown): value is string => typeof value === 'string' && UUID.test(value)
