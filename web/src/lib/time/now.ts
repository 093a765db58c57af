import { SECOND_MS } from '#contract/time.ts'

/** By how much the server's clock is ahead of this device's. */
let aheadMs = 0

/** Returns the present time in ms since 1970 by the server's clock: that of a phone may be wrong. What is shown goes by it. */
export const now = (): number => Date.now() + aheadMs

/** Keeps what is known as long as it is possible, so that slow responses and frozen tabs change nothing. */
function setAheadBetween(leastMs: number, mostMs: number) {
  aheadMs = Math.min(Math.max(aheadMs, leastMs), mostMs)
}

/**
 * Reads the server's clock from a response that has just arrived, which names the second in which it was sent.
 *
 * @param sentAt when the request was sent, by this device's clock
 */
export function readServerClock({ headers }: Response, sentAt: number): void {
  const serverMs = Date.parse(headers.get('date') ?? '')
  if (!Number.isNaN(serverMs)) setAheadBetween(serverMs - Date.now(), serverMs + SECOND_MS - sentAt)
}

/** Reads it from the page itself, unless that comes from the browser's cache: some pages show a time before their first request. */
function readClockOfPage() {
  const [page] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  const serverMs = page?.transferSize ? page.serverTiming?.find(({ name }) => name === 'now')?.duration : undefined
  if (!page || !serverMs) return
  const originMs = Date.now() - performance.now()
  setAheadBetween(serverMs - originMs - page.responseStart, serverMs - originMs - page.requestStart)
}
if (!import.meta.env.SSR) readClockOfPage()
