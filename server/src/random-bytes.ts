import { randomFillSync } from 'node:crypto'

const POOL_BYTES = 8 * 1024

// asking the system for each few bytes costs more than what is done with them
const pool = Buffer.alloc(POOL_BYTES)
let offset = POOL_BYTES

/**
 * Random bytes fit for keys and nonces, at most a few dozen a call. Each byte is handed out once, and forgotten in the
 * pool as it is.
 */
export function pooledRandomBytes(size: number): Buffer {
  if (offset + size > POOL_BYTES) {
    randomFillSync(pool)
    offset = 0
  }
  const bytes = Buffer.from(pool.subarray(offset, offset + size))
  pool.fill(0, offset, offset + size)
  offset += size
  return bytes
}
