import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { eventually } from './eventually.ts'

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
    async close() {
      control.abort()
      await reading
    },
  }
}
