import { createParser } from 'eventsource-parser'
import { LIVE_HEARTBEAT_S, LIVE_PATH } from '#contract/live.ts'

const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 30_000
const MOST_DOUBLINGS = 5
/** A connection that is silent for longer than this is none: two heartbeats have failed to come. */
const SILENCE_MS = 2.5 * LIVE_HEARTBEAT_S * 1000

/** One event of the stream (WHATWG HTML §9.2); `id` is empty where the event has none. */
export type LiveEvent = { event: string; id: string; data: string }

export type LiveListener = {
  /** The bearer token, asked for anew at every connection; null ends the listening. */
  token: () => Promise<string | null>
  /** The server does not take the token: time for another one. */
  onRefused: () => Promise<unknown>
  onEvent: (event: LiveEvent) => void
  /** Connected, for the first time or again: re-read what may have been missed. */
  onOpen: () => void
  /** Not connected, and trying to be: at the start, and after every try. */
  onLost: () => void
}

/**
 * Listens to the server's events until the returned function is called. The browser's EventSource cannot send an
 * Authorization header, so the stream is read with fetch. A lost connection is opened again with back-off and
 * Last-Event-ID; coming back online does it at once.
 *
 * @param lastId the last event that was seen, to go on after it; empty: from now on
 */
export function listen({ token, onRefused, onEvent, onOpen, onLost }: LiveListener, lastId = ''): () => void {
  const stop = new AbortController()
  let seen = lastId
  let firstWait = FIRST_WAIT_MS
  let failures = 0

  async function readStream(): Promise<void> {
    const bearer = await token()
    if (!bearer) return stop.abort() // signed out; no connection makes token() throw instead
    const attempt = deadline(SILENCE_MS, stop.signal)
    const headers: Record<string, string> = { accept: 'text/event-stream', authorization: `Bearer ${bearer}` }
    if (seen) headers['last-event-id'] = seen
    try {
      // what the page shows comes first; and it stays open, so it is no part of the page's loading
      const response = await fetch(LIVE_PATH, { headers, signal: attempt.signal, cache: 'no-store', priority: 'low' })
      if (response.status === 401) await onRefused()
      if (!response.ok || !response.body) throw new Error(`live: ${response.status}`)
      failures = 0
      if (!stop.signal.aborted) onOpen()
      const parser = createParser({
        onEvent: ({ event = 'message', id = '', data }) => {
          if (stop.signal.aborted) return
          if (id) seen = id
          onEvent({ event, id, data })
        },
        onRetry: (milliseconds) => {
          firstWait = milliseconds
        },
      })
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
      for (let read = await reader.read(); !read.done; read = await reader.read()) {
        attempt.extend()
        parser.feed(read.value)
      }
    } finally {
      attempt.end()
    }
  }

  void (async () => {
    onLost()
    while (!stop.signal.aborted) {
      await readStream().catch(() => undefined) // refused, cut off or aborted: the loop decides
      if (stop.signal.aborted) return
      onLost()
      const wait = Math.min(LONGEST_WAIT_MS, firstWait * 2 ** Math.min(failures++, MOST_DOUBLINGS))
      await pause(wait * (0.5 + Math.random() / 2), stop.signal) // spread, so that a restart is not met by everybody at once
    }
  })()
  return () => stop.abort()
}

/** A signal that aborts when nothing has extended it for so long, or when `ended` aborts. */
function deadline(milliseconds: number, ended: AbortSignal) {
  const control = new AbortController()
  const abort = () => control.abort()
  let timer = setTimeout(abort, milliseconds)
  ended.addEventListener('abort', abort)
  return {
    signal: control.signal,
    extend() {
      clearTimeout(timer)
      timer = setTimeout(abort, milliseconds)
    },
    end() {
      clearTimeout(timer)
      ended.removeEventListener('abort', abort)
      abort() // a stream nobody reads any more is closed, whatever ended the reading
    },
  }
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
