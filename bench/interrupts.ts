import { constants } from 'node:os'

const ends = new Set<() => void>()

/**
 * Runs `end` when this process is told to end before its time (Ctrl-C, SIGTERM), because what it started would go on without it.
 * It has to be done when it returns: nothing is awaited then.
 *
 * @returns a function that takes it back, for what has ended by itself
 */
export function endOnInterrupt(end: () => void): () => void {
  if (ends.size === 0) for (const signal of SIGNALS) process.once(signal, endEverything)
  ends.add(end)
  return () => {
    ends.delete(end)
    if (ends.size === 0) for (const signal of SIGNALS) process.off(signal, endEverything)
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

function endEverything(signal: NodeJS.Signals): void {
  try {
    for (const end of ends) end()
  } finally {
    process.exit(128 + constants.signals[signal])
  }
}
