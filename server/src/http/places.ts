/** So many calls may wait for each place … */
const WAITING_PER_PLACE = 3
/** … for so long at most … */
const WAIT_MS = 250
/** … if they come while all places have been taken for no longer than this: beyond it is no burst but too much work. */
const BURST_MS = 100
/** The next burst is one that begins after so long without a call that found all places taken. */
const CALM_MS = 1_000

export type Places = ReturnType<typeof createPlaces>

/**
 * Returns the places of a class of work, of which a process has so many at a time. A burst that is over in a moment, as when a
 * process restarts and the apps of everybody reconnect, waits for them; what comes amid an overload that lasts is refused at once,
 * because whoever waited there would only be served later than the one who is served in their stead (decision overload-protection).
 *
 * @param onCount hears how many places are taken whenever that changes
 */
export function createPlaces(max: number, onCount: (taken: number) => void) {
  let taken = 0
  let fullSince = -Infinity
  let lastFullAt = -Infinity
  /** First come, first served. */
  const waiting = new Set<(hasPlace: boolean) => void>()
  const count = (by: 1 | -1) => {
    taken += by
    onCount(taken)
  }

  return {
    /** Tells whether a call that comes now is to be refused. */
    isOverloaded(): boolean {
      if (taken < max) return false
      const now = performance.now()
      if (now - lastFullAt > CALM_MS) fullSince = now
      lastFullAt = now
      return now - fullSince > BURST_MS || waiting.size >= max * WAITING_PER_PLACE
    },
    /** Takes a place if one is free. */
    take(): boolean {
      if (taken >= max) return false
      count(1)
      return true
    },
    /** Waits for a place in a burst. Returns false when there is none in time. */
    wait(): Promise<boolean> {
      if (this.isOverloaded()) return Promise.resolve(false)
      return new Promise((resolve) => {
        const end = (hasPlace: boolean) => {
          clearTimeout(timeout)
          waiting.delete(end)
          resolve(hasPlace)
        }
        const timeout = setTimeout(end, WAIT_MS, false)
        waiting.add(end)
      })
    },
    /** Gives a place back, to the call that has waited for it longest. */
    release(): void {
      const [next] = waiting
      if (next) next(true)
      else count(-1)
    },
  }
}
