const ASK_EVERY_MS = 20

/** Asks until there is an answer other than undefined; fails loudly after the time given. */
export async function eventually<T>(ask: () => Promise<T | undefined>, withinMs = 10_000): Promise<T> {
  const deadline = performance.now() + withinMs
  for (;;) {
    const answer = await ask()
    if (answer !== undefined) return answer
    if (performance.now() > deadline) throw new Error(`nothing came within ${withinMs} ms`)
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS))
  }
}
