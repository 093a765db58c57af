import type { Page } from '@playwright/test'

/** A resource that a page loaded, in bytes on the wire. */
export type NetworkLoad = {
  url: string
  /** The browser's type of it: `Document`, `Script`, `Font` … */
  kind: string
  /** With the headers of the response. */
  bytes: number
  /** The body alone, as compressed. */
  bodyBytes: number
  done: boolean
}

/** The stream of live updates, which never ends and is not needed to show a page. */
const EVENT_STREAM_PATH = '/api/live'

/**
 * Records what a page loads from now on through the DevTools protocol, which counts what really came over the wire.
 * The array grows while the page loads.
 */
export async function recordLoads(page: Page): Promise<NetworkLoad[]> {
  const session = await page.context().newCDPSession(page)
  const loads = new Map<string, NetworkLoad>()
  const all: NetworkLoad[] = []
  session.on('Network.requestWillBeSent', ({ requestId, request, type }) => {
    const { protocol, pathname } = new URL(request.url)
    if (!protocol.startsWith('http') || pathname === EVENT_STREAM_PATH) return
    const load = { url: request.url, kind: type ?? 'Other', bytes: 0, bodyBytes: 0, done: false }
    loads.set(requestId, load)
    all.push(load)
  })
  session.on('Network.dataReceived', ({ requestId, encodedDataLength }) => {
    const load = loads.get(requestId)
    if (load) load.bodyBytes += encodedDataLength
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const load = loads.get(requestId)
    if (load) Object.assign(load, { bytes: encodedDataLength, done: true })
  })
  session.on('Network.loadingFailed', ({ requestId }) => {
    const load = loads.get(requestId)
    if (load) load.done = true
  })
  await session.send('Network.enable')
  return all
}
