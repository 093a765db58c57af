import assert from 'node:assert/strict'
import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { eventually } from './eventually.ts'

type Stream = Awaited<ReturnType<typeof openStream>>

/** A stream that ends within so long was ended, whatever it looked at meanwhile. */
const AT_ONCE_MS = 3_000

/** Does something at which streams end at once, and not only when they look by themselves whether their session is still there. */
export async function assertEnds(streams: Stream[], act: () => Promise<unknown>) {
  const countChecks = () => streams.map((stream) => stream.ownChecks())
  const [before, begun] = [countChecks(), performance.now()]
  await act()
  await Promise.all(streams.map((stream) => stream.end()))
  if (performance.now() - begun > AT_ONCE_MS) assert.deepEqual(countChecks(), before, 'the streams ended too late')
}

/** Opens a stream of server-sent events, as a page in a browser does. */
export async function openStream(url: string, token: string, lastEventId?: string) {
  const control = new AbortController()
  const response = await fetch(`${url}/api/live`, {
    signal: control.signal,
    headers: { authorization: `Bearer ${token}`, ...(lastEventId !== undefined && { 'last-event-id': lastEventId }) },
  })
  const events: EventSourceMessage[] = []
  let raw = ''
  let ended = false
  const parser = createParser({ onEvent: (event) => void events.push(event) })
  const reading = (async () => {
    try {
      const decoder = new TextDecoder()
      for await (const chunk of response.body!) {
        const text = decoder.decode(chunk, { stream: true })
        raw += text
        parser.feed(text)
      }
    } catch {
      // aborted by close(), or ended by the server
    }
    ended = true
  })()
  return {
    status: response.status,
    headers: response.headers,
    /** Returns everything received so far. */
    raw: () => raw,
    /** Resolves with the first event that matches, which may have been received already. */
    next: (matches: (event: EventSourceMessage) => boolean) => eventually(async () => events.find(matches)),
    events: (name: string) => events.filter((event) => event.event === name),
    /** Resolves once the server has ended the stream. */
    end: () => eventually(async () => (ended ? true : undefined)),
    /** Returns how often the stream has looked by itself whether its session is still there: at every second heartbeat. */
    ownChecks: () => Math.floor((raw.split(': still here').length - 1) / 2),
    async close() {
      control.abort()
      await reading
    },
  }
}
