const TICK_MS = 1_000

/** Calls everybody who is on it once a round. One timer for all of them, and no tick when all of them come at once. */
export type Wheel = {
  /** Calls back once a round, the first time within one, until the returned function is called. */
  join(turn: () => void): () => void
  stop(): void
}

/**
 * @param roundS seconds of a round; those who join are spread over them evenly, however many join in the same moment, as
 *   all do after a restart
 */
export function startWheel(roundS: number): Wheel {
  const slots = Array.from({ length: roundS }, () => new Set<() => void>())
  let at = 0
  const timer = setInterval(() => {
    at = (at + 1) % slots.length
    for (const turn of slots[at]!) turn()
  }, TICK_MS)
  timer.unref()
  return {
    join(turn) {
      const slot = slots.reduce((least, next) => (next.size < least.size ? next : least))
      slot.add(turn)
      return () => void slot.delete(turn)
    },
    stop: () => clearInterval(timer),
  }
}
