/**
 * Creates a function that lets equal calls made at the same time share one result: somebody who repeats a send a thousand
 * times asks the database once.
 *
 * @returns a function that runs `work`, unless a call with the same key and an equal hash is running; then that one's result
 *   or error is the result. A call with the same key and another hash runs after it.
 */
export function shareEqualSends<Result>() {
  const running = new Map<string, { hash: Buffer; result: Promise<Result> }>()
  return async (key: string, hash: Buffer, work: () => Promise<Result>): Promise<Result> => {
    for (let first = running.get(key); first; first = running.get(key)) {
      if (first.hash.equals(hash)) return first.result
      await first.result.catch(() => {}) // how it ended is said to its own caller
    }
    const result = work()
    running.set(key, { hash, result })
    try {
      return await result
    } finally {
      running.delete(key)
    }
  }
}
