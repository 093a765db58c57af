import { SECOND_MS } from '#contract/time.ts'

/** Resolves or rejects as the work does, but rejects with this message when it takes longer. */
export function withTimeout<T>(work: Promise<T>, milliseconds: number, message: string): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(message)), milliseconds)
  })
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer))
}

/** Resolves when the work has settled, whatever its outcome, and at the latest after this time. */
export const settleWithin = (work: Promise<unknown>, milliseconds: number): Promise<void> =>
  withTimeout(work, milliseconds, 'timeout').then(
    () => {},
    () => {},
  )

/** For how long an action can be undone: enough to see that the wrong key was pressed. */
export const UNDO_MS = 8 * SECOND_MS

/** Returns the seconds of a `Retry-After` header; undefined when it is missing or a date. */
export function parseRetryAfter(header: string | null): number | undefined {
  const seconds = Number(header ?? Number.NaN)
  return Number.isFinite(seconds) ? seconds : undefined
}
