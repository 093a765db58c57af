const TICK_MS = 1_000

/** Calls every subscriber once a round, with one timer for all and never all in the same tick. */
export type TimerWheel = {
  /** Calls back once a round, the first time within one. Returns the function that ends this. */
  add(callback: () => void): () => void
  stop(): void
}

/**
 * Starts a timer wheel. Subscribers are spread evenly over the seconds of a round, however many come at the same
 * moment, as all of them do after a restart.
 *
 * @param periodS the seconds of a round
 */
export function startTimerWheel(periodS: number): TimerWheel {
  const slots = Array.from({ length: periodS }, () => new Set<() => void>())
  let position = 0
  const timer = setInterval(() => {
    position = (position + 1) % slots.length
    for (const callback of slots[position]!) callback()
  }, TICK_MS)
  timer.unref()
  return {
    add(callback) {
      const slot = slots.reduce((least, next) => (next.size < least.size ? next : least))
      slot.add(callback)
      return () => void slot.delete(callback)
    },
    stop: () => clearInterval(timer),
  }
}
