import type { Page } from '@playwright/test'

/** One thing a page loaded: its address, and its bytes on the wire. */
export type Loaded = {
  url: string
  /** What the page took it for, as the browser names it: `Document`, `Script`, `Font` … */
  kind: string
  /** With the headers of the answer. */
  bytes: number
  /** Of the body alone, compressed as it came. */
  bodyBytes: number
}

/**
 * Watches what a page loads from now on, through the DevTools protocol. The function it resolves with gives what has
 * come since it was last asked; null while something is still on its way.
 */
export async function watchLoads(page: Page): Promise<() => Loaded[] | null> {
  const session = await page.context().newCDPSession(page)
  const begun = new Map<string, Loaded & { done: boolean }>()
  session.on('Network.requestWillBeSent', ({ requestId, request, type }) => {
    // the stream of live notifications never ends, and data: is part of what holds it
    if (/^https?:/.test(request.url) && !request.url.includes('/api/live'))
      begun.set(requestId, { url: request.url, kind: type ?? 'Other', bytes: 0, bodyBytes: 0, done: false })
  })
  session.on('Network.dataReceived', ({ requestId, encodedDataLength }) => {
    const one = begun.get(requestId)
    if (one) one.bodyBytes += encodedDataLength
  })
  const end = ({ requestId, encodedDataLength = 0 }: { requestId: string; encodedDataLength?: number }) => {
    const one = begun.get(requestId)
    if (one) Object.assign(one, { bytes: encodedDataLength, done: true })
  }
  session.on('Network.loadingFinished', end)
  session.on('Network.loadingFailed', end)
  await session.send('Network.enable')
  return () => {
    const all = [...begun.values()]
    if (all.some(({ done }) => !done)) return null
    begun.clear()
    return all
  }
}
