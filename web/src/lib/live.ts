import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { LIVE_PATH } from '#contract/live.ts'

const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 30_000
const MOST_DOUBLINGS = 5

type Listener = {
  /** The bearer token, asked for anew at every connection; null ends the listening. */
  token: () => Promise<string | null>
  /** The server does not take the token: time for another one. */
  onRefused: () => Promise<unknown>
  onEvent: (event: EventSourceMessage) => void
  /** Connected, for the first time or again: re-read what may have been missed. */
  onOpen?: () => void
}

/**
 * Listens to the server's events until the returned function is called. The browser's EventSource cannot send an
 * Authorization header, so the stream is read with fetch. A lost connection is opened again with back-off and
 * Last-Event-ID; coming back online does it at once.
 */
export function listen({ token, onRefused, onEvent, onOpen }: Listener): () => void {
  const stop = new AbortController()
  let lastId = ''
  let firstWait = FIRST_WAIT_MS

  async function readStream(): Promise<void> {
    const bearer = await token()
    if (!bearer) return stop.abort() // signed out; no connection makes token() throw instead
    const headers: Record<string, string> = { accept: 'text/event-stream', authorization: `Bearer ${bearer}` }
    if (lastId) headers['last-event-id'] = lastId
    const response = await fetch(LIVE_PATH, { headers, signal: stop.signal, cache: 'no-store' })
    if (response.status === 401) await onRefused()
    if (!response.ok || !response.body) throw new Error(`live: ${response.status}`)
    failures = 0
    onOpen?.()
    const parser = createParser({
      onEvent: (event) => {
        if (event.id) lastId = event.id
        onEvent(event)
      },
      onRetry: (milliseconds) => {
        firstWait = milliseconds
      },
    })
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    for (let read = await reader.read(); !read.done; read = await reader.read()) parser.feed(read.value)
  }

  let failures = 0
  void (async () => {
    while (!stop.signal.aborted) {
      await readStream().catch(() => undefined) // refused, cut off or aborted: the loop decides
      if (stop.signal.aborted) return
      const wait = Math.min(LONGEST_WAIT_MS, firstWait * 2 ** Math.min(failures++, MOST_DOUBLINGS))
      await pause(wait * (0.5 + Math.random() / 2), stop.signal) // spread, so that a restart is not met by everybody at once
    }
  })()
  return () => stop.abort()
}

/** Waits, but no longer than until the connection comes back or the listening ends. */
function pause(milliseconds: number, ended: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      removeEventListener('online', done)
      ended.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, milliseconds)
    addEventListener('online', done)
    ended.addEventListener('abort', done)
  })
}
