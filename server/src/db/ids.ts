import { randomUUID } from 'node:crypto'

const MAX_SEQUENCE = 0xfff

let lastMs = 0
let sequence = 0

/**
 * Returns a UUIDv7 (RFC 9562 §5.7). Ids of one process rise strictly, within a millisecond too, so that lists may be ordered
 * and paged by id: the 12 bits after the time count up (RFC 9562 §6.2, method 1).
 *
 * Node's own `randomUUIDv7` does not promise that; the package `uuid` does, and takes three times as long.
 */
export function newId(): string {
  const random = randomUUID()
  const now = Date.now()
  if (now > lastMs) {
    lastMs = now
    sequence = Number.parseInt(random.slice(0, 3), 16) >> 1 // starts in the lower half, to leave room to count
  } else if (++sequence > MAX_SEQUENCE) {
    lastMs++ // borrows from the next millisecond, which also covers a clock that was set back
    sequence = 0
  }
  const time = lastMs.toString(16).padStart(12, '0')
  // the variant and the 62 random bits behind it are where a random UUID has them, too
  return `${time.slice(0, 8)}-${time.slice(8)}-7${sequence.toString(16).padStart(3, '0')}-${random.slice(19)}`
}
