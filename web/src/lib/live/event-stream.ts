import { createParser } from 'eventsource-parser'
import { LIVE_HEARTBEAT_S, openLiveStream } from '#contract/notifications.ts'
import { SECOND_MS } from '#contract/time.ts'
import { now } from '~/lib/time/now'

const INITIAL_BACKOFF_MS = 1_000
const MAX_BACKOFF_MS = 30_000
const MAX_DOUBLINGS = 5
/** A connection that is silent for longer than this is treated as lost: it has missed two heartbeats. */
const IDLE_TIMEOUT_MS = 2.5 * LIVE_HEARTBEAT_S * SECOND_MS

/** One event of the stream (WHATWG HTML §9.2); `id` is empty where the event has none. */
export type StreamEvent = { event: string; id: string; data: string }

export type StreamListener = {
  /** Returns the bearer token, once for every connection; null stops the stream. */
  getToken: () => Promise<string | null>
  /** Renews the token that the server has rejected. */
  onUnauthorized: () => Promise<unknown>
  onEvent: (event: StreamEvent) => void
  /** Connected, for the first time or again: refetch what may have been missed. */
  onOpen: () => void
  /** Looked at again, or back online: the same, before any connection has found out that it is dead. */
  onSeen: () => void
  /** Not connected, and trying to connect: called at the start and after every attempt. */
  onDisconnected: () => void
}

/** How long a page that is not seen goes on receiving: switching between two tabs opens no stream. */
const UNSEEN_MS = 60_000

/**
 * Receives the server's events while the page is seen, until the returned function is called. Connections are few (decision
 * live-updates), and nobody looks at a tab in the background: it is told to refetch when it is seen again.
 */
export function followEvents(listener: StreamListener): () => void {
  let close: (() => void) | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = () => {
    clearTimeout(timer)
    close?.()
    close = undefined
  }
  const follow = () => {
    clearTimeout(timer)
    if (document.hidden) timer = setTimeout(stop, UNSEEN_MS)
    else close ??= openEventStream(listener)
  }
  let lastHiddenAt = 0
  const onChange = ({ type }: Event) => {
    if (document.hidden) lastHiddenAt = now()
    // while a phone slept, or the network changed, the connection may have died without a word
    else if (type === 'online' || now() - lastHiddenAt > LIVE_HEARTBEAT_S * SECOND_MS) stop()
    follow()
    if (!document.hidden) listener.onSeen()
  }
  const events = new AbortController()
  const { signal } = events
  document.addEventListener('visibilitychange', onChange, { signal })
  // with an open connection a browser may not keep the page for the way back
  addEventListener('pagehide', stop, { signal })
  addEventListener('pageshow', follow, { signal })
  addEventListener('online', onChange, { signal })
  follow()
  return () => {
    events.abort()
    stop()
  }
}

/**
 * Receives the server's events until the returned function is called. The browser's EventSource cannot send an
 * Authorization header, so the stream is read with fetch. A lost connection is reopened with back-off and Last-Event-ID,
 * and at once when the browser comes back online.
 */
function openEventStream({ getToken, onUnauthorized, onEvent, onOpen, onDisconnected }: StreamListener): () => void {
  const controller = new AbortController()
  let lastSeenId = ''
  let initialBackoff = INITIAL_BACKOFF_MS
  let failures = 0

  async function readStream(): Promise<void> {
    const bearer = await getToken()
    if (!bearer) return controller.abort() // signed out; without a connection getToken throws instead
    const attempt = createIdleTimeout(IDLE_TIMEOUT_MS, controller.signal)
    const headers: Record<string, string> = { accept: 'text/event-stream', authorization: `Bearer ${bearer}` }
    if (lastSeenId) headers['last-event-id'] = lastSeenId
    try {
      // after what the page shows; it stays open, so it must not count as part of the page's load
      const response = await fetch(openLiveStream.path, {
        headers,
        signal: attempt.signal,
        cache: 'no-store',
        priority: 'low',
      })
      if (response.status === 401) await onUnauthorized()
      if (!response.ok || !response.body) throw new Error(`live: ${response.status}`)
      failures = 0
      if (!controller.signal.aborted) onOpen()
      const parser = createParser({
        onEvent: ({ event = 'message', id = '', data }) => {
          if (controller.signal.aborted) return
          if (id) lastSeenId = id
          onEvent({ event, id, data })
        },
        onRetry: (milliseconds) => {
          initialBackoff = milliseconds
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
    onDisconnected()
    while (!controller.signal.aborted) {
      await readStream().catch(() => undefined) // rejected, interrupted or aborted: the loop decides
      if (controller.signal.aborted) return
      onDisconnected()
      const delay = Math.min(MAX_BACKOFF_MS, initialBackoff * 2 ** Math.min(failures++, MAX_DOUBLINGS))
      await waitForRetry(delay * (0.5 + Math.random() / 2), controller.signal) // spread, so that not every client reconnects at once after a restart
    }
  })()
  return () => controller.abort()
}

/** Returns a signal that aborts when it has not been extended for this long, or when `stopSignal` aborts. */
function createIdleTimeout(milliseconds: number, stopSignal: AbortSignal) {
  const control = new AbortController()
  const abort = () => control.abort()
  let timer = setTimeout(abort, milliseconds)
  stopSignal.addEventListener('abort', abort)
  return {
    signal: control.signal,
    extend() {
      clearTimeout(timer)
      timer = setTimeout(abort, milliseconds)
    },
    end() {
      clearTimeout(timer)
      stopSignal.removeEventListener('abort', abort)
      abort() // closes the stream, whatever ended the reading
    },
  }
}

/** Waits for this long, or until the browser comes back online or the stream is stopped. */
function waitForRetry(milliseconds: number, stopSignal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      removeEventListener('online', done)
      stopSignal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, milliseconds)
    addEventListener('online', done)
    stopSignal.addEventListener('abort', done)
  })
}
