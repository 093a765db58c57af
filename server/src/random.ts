import { randomFillSync } from 'node:crypto'

const POOL_BYTES = 8 * 1024

// asking the system for each few bytes costs more than what is done with them
const pool = Buffer.alloc(POOL_BYTES)
let used = POOL_BYTES

/**
 * Random bytes fit for keys and nonces, at most a few dozen a call. Each byte is handed out once, and forgotten in the
 * pool as it is.
 */
export function freshRandom(size: number): Buffer {
  if (used + size > POOL_BYTES) {
    randomFillSync(pool)
    used = 0
  }
  const bytes = Buffer.from(pool.subarray(used, used + size))
  pool.fill(0, used, used + size)
  used += size
  return bytes
}
