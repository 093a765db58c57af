const POLL_INTERVAL_MS = 20

/** Asks until there is an answer other than undefined; fails loudly after the time given. */
export async function eventually<T>(probe: () => Promise<T | undefined>, timeoutMs = 10_000): Promise<T> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const answer = await probe()
    if (answer !== undefined) return answer
    if (performance.now() > deadline) throw new Error(`nothing came within ${timeoutMs} ms`)
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS))
  }
}
