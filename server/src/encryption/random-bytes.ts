import { randomFillSync } from 'node:crypto'

const POOL_BYTES = 8 * 1024

// asking the system for a few bytes at a time costs more than encrypting with them
const pool = Buffer.alloc(POOL_BYTES)
let offset = POOL_BYTES

/**
 * Returns random bytes fit for keys and nonces, at most a few dozen per call. Hands out each byte once, and erases it
 * from the pool immediately.
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
