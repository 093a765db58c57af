const POLL_INTERVAL_MS = 20

/** Calls the probe until it returns something other than undefined; throws after `timeoutMs`, which is for slow machines. */
export async function eventually<T>(probe: () => Promise<T | undefined>, timeoutMs = 120_000): Promise<T> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const result = await probe()
    if (result !== undefined) return result
    if (performance.now() > deadline) throw new Error(`nothing came within ${timeoutMs} ms`)
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS))
  }
}
