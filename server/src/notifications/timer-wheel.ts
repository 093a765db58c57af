const TICK_MS = 1_000

/** Calls everybody who is on it once a round. One timer for all of them, and no tick when all of them come at once. */
export type TimerWheel = {
  /** Calls back once a round, the first time within one, until the returned function is called. */
  add(turn: () => void): () => void
  stop(): void
}

/**
 * @param periodS seconds of a round; those who join are spread over them evenly, however many join in the same moment, as
 *   all do after a restart
 */
export function startTimerWheel(periodS: number): TimerWheel {
  const slots = Array.from({ length: periodS }, () => new Set<() => void>())
  let position = 0
  const timer = setInterval(() => {
    position = (position + 1) % slots.length
    for (const turn of slots[position]!) turn()
  }, TICK_MS)
  timer.unref()
  return {
    add(turn) {
      const slot = slots.reduce((least, next) => (next.size < least.size ? next : least))
      slot.add(turn)
      return () => void slot.delete(turn)
    },
    stop: () => clearInterval(timer),
  }
}
