import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { eventually } from './eventually.ts'

/** An open stream of server-sent events, as a browser page holds one. */
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
      // aborted by close(), or cut off by the server: both are an end
    }
    ended = true
  })()
  return {
    status: response.status,
    headers: response.headers,
    /** Everything that came over the wire so far. */
    raw: () => raw,
    /** Resolves with the first event that fits, also one that came before. */
    next: (fits: (event: EventSourceMessage) => boolean) => eventually(async () => events.find(fits)),
    events: (name: string) => events.filter((event) => event.event === name),
    /** Resolves once the server has ended the stream. */
    end: () => eventually(async () => (ended ? true : undefined)),
    async close() {
      control.abort()
      await reading
    },
  }
}
