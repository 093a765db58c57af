import { openEventStream, type StreamEvent, type StreamListener } from './event-stream.ts'

/** A tab that is looked at asks this often whether the leading tab is still there … */
const LEADER_CHECK_INTERVAL_MS = 10_000
/** … and leads itself when no answer comes within this time. */
const LEADER_REPLY_TIMEOUT_MS = 3_000

/** What tabs say to each other. */
type TabMessage =
  | { type: 'event'; event: StreamEvent }
  | { type: 'open' }
  | { type: 'lost' }
  /** Who leads? */
  | { type: 'who' }
  /** I do, and whether I am connected; `lastId`: the last event I saw. */
  | { type: 'here'; connected: boolean; lastId: string }

/**
 * As `listen`, with one stream for all tabs of a browser: the tab that holds a Web Lock leads, has the stream and passes on
 * what comes. When it closes, the next one gets the lock and goes on after the last event it saw. A tab may also be stopped
 * by the browser while it holds the lock: a tab that is looked at and gets no answer takes the lock away from it.
 *
 * Without Web Locks (plain http, old browsers) each tab has a stream of its own.
 *
 * @param account whose stream it is: tabs of different accounts share nothing
 */
export function openSharedEventStream(account: string, listener: StreamListener): () => void {
  if (!navigator.locks) return openEventStream(listener)
  const { locks } = navigator
  const name = `platenote-live-${account}`
  const channel = new BroadcastChannel(name)
  let lastId = ''
  let connected = false
  /** Ends the leading; undefined while another tab leads. */
  let stopLeading: (() => void) | undefined
  /** The present request for the lock; aborted: given up. */
  let lockController = new AbortController()
  let replyTimer: ReturnType<typeof setTimeout> | undefined
  let closeOwnStream: (() => void) | undefined

  const post = (word: TabMessage) => channel.postMessage(word)
  const receiveEvent = (event: StreamEvent) => {
    if (event.id) lastId = event.id
    listener.onEvent(event)
  }
  const handleOpen = () => {
    connected = true
    listener.onOpen()
  }
  const handleDisconnect = () => {
    connected = false
    listener.onDisconnected()
  }
  const clearReplyTimer = () => {
    clearTimeout(replyTimer)
    replyTimer = undefined
  }

  /** Resolves when this tab leads no more. */
  const lead = () =>
    new Promise<void>((resolve) => {
      clearReplyTimer()
      const broadcastingListener: StreamListener = {
        ...listener,
        onEvent: (event) => {
          receiveEvent(event)
          post({ type: 'event', event })
        },
        onOpen: () => {
          handleOpen()
          post({ type: 'open' })
        },
        onDisconnected: () => {
          handleDisconnect()
          post({ type: 'lost' })
        },
      }
      const stop = openEventStream(broadcastingListener, lastId)
      stopLeading = () => {
        stopLeading = undefined
        stop()
        resolve()
      }
    })

  const requestLock = (steal: boolean) => {
    lockController.abort()
    const ownController = new AbortController()
    lockController = ownController
    locks
      .request(name, steal ? { steal } : { signal: ownController.signal }, () =>
        ownController.signal.aborted ? undefined : lead(),
      )
      .catch((error: unknown) => {
        if (ownController.signal.aborted) return
        stopLeading?.()
        // taken away, because this tab did not answer: it follows from now on
        if (error instanceof DOMException && error.name === 'AbortError') join()
        else closeOwnStream = openEventStream(listener) // the browser forbids locks here
      })
  }

  const askForLeader = () => {
    if (stopLeading || closeOwnStream || replyTimer !== undefined) return
    post({ type: 'who' })
    replyTimer = setTimeout(() => {
      replyTimer = undefined
      // a tab nobody sees can wait; it asks again when it is looked at
      if (!document.hidden && !stopLeading) requestLock(true)
    }, LEADER_REPLY_TIMEOUT_MS)
  }

  channel.onmessage = ({ data }: MessageEvent<TabMessage>) => {
    if (data.type === 'who') {
      // timers of hidden tabs are slow: one that has lost its connection lets a tab that is looked at find it again
      if (stopLeading && (connected || !document.hidden)) post({ type: 'here', connected, lastId })
      return
    }
    if (stopLeading) return // said before this tab took over
    if (data.type === 'lost') return handleDisconnect()
    clearReplyTimer()
    if (data.type === 'event') return receiveEvent(data.event)
    if (data.type === 'here' && data.lastId) lastId = data.lastId
    if (data.type === 'open' || (data.connected && !connected)) handleOpen()
  }

  const join = () => {
    if (stopLeading || closeOwnStream) return
    handleDisconnect()
    requestLock(false)
    askForLeader()
  }
  const release = () => {
    clearReplyTimer()
    lockController.abort()
    stopLeading?.()
  }
  const askWhenVisible = () => !document.hidden && askForLeader()

  const checkTimer = setInterval(askWhenVisible, LEADER_CHECK_INTERVAL_MS)
  const stop = new AbortController()
  const { signal } = stop
  document.addEventListener('visibilitychange', askWhenVisible, { signal })
  addEventListener('online', askWhenVisible, { signal })
  // a page the browser puts away holds nothing
  addEventListener('pagehide', release, { signal })
  addEventListener('pageshow', ({ persisted }) => persisted && join(), { signal })
  document.addEventListener('freeze', release, { signal })
  document.addEventListener('resume', join, { signal })
  join()

  return () => {
    clearInterval(checkTimer)
    stop.abort()
    release()
    closeOwnStream?.()
    channel.close()
  }
}
