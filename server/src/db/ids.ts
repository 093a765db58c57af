import { pooledRandomBytes } from '../random-bytes.ts'

const RANDOM_BYTES_PER_ID = 10

let lastMs = 0
let sequence = 0

/**
 * A UUIDv7 (RFC 9562 §5.7). Ids of one process rise strictly, also within a millisecond: the 12 bits behind the time
 * count up (RFC 9562 §6.2, method 1), so lists may be ordered and paged by id. (Node's own `randomUUIDv7` does not
 * promise that.)
 */
export function newId(): string {
  const random = pooledRandomBytes(RANDOM_BYTES_PER_ID)
  const now = Date.now()
  if (now > lastMs) {
    lastMs = now
    sequence = random.readUInt16BE(0) & 0x7ff // starts in the lower half, to leave room to count
  } else if (++sequence > 0xfff) {
    lastMs++ // borrows from the next millisecond; a clock that went back is outlived the same way
    sequence = 0
  }
  const time = lastMs.toString(16).padStart(12, '0')
  const variant = (0x80 | (random[2]! & 0x3f)).toString(16)
  const tail = random.toString('hex', 3, RANDOM_BYTES_PER_ID)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${sequence.toString(16).padStart(3, '0')}-${variant}${tail.slice(0, 2)}-${tail.slice(2)}`
}
