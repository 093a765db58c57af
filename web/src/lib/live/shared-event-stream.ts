import { storesNothing } from '~/lib/page/storage'
import { openEventStream, type StreamEvent, type StreamListener } from './event-stream.ts'

/** A visible tab asks this often whether the leading tab is still there … */
const LEADER_CHECK_INTERVAL_MS = 10_000
/** … and becomes the leader when there is no reply within this time. */
const LEADER_REPLY_TIMEOUT_MS = 3_000

/** The messages between tabs. */
type TabMessage =
  | { type: 'event'; event: StreamEvent }
  | { type: 'open' }
  | { type: 'lost' }
  /** Asks which tab leads. */
  | { type: 'who' }
  /** The leader's reply; `lastId` is the last event it has received. */
  | { type: 'here'; connected: boolean; lastId: string }

/**
 * Opens an event stream that all tabs of a browser share: the tab that holds a Web Lock leads, has the stream and
 * broadcasts its events. When it closes, the next tab gets the lock and continues after the last event it received. The
 * browser may also freeze a tab that holds the lock: a visible tab that gets no reply steals the lock from it.
 *
 * Without Web Locks (plain http, old browsers), and where nothing is stored, each tab has its own stream.
 *
 * @param account the owner of the stream: tabs of different accounts share nothing
 */
export function openSharedEventStream(account: string, listener: StreamListener): () => void {
  if (!navigator.locks || storesNothing) return openEventStream(listener)
  const { locks } = navigator
  const name = `platenote-live-${account}`
  const channel = new BroadcastChannel(name)
  let lastId = ''
  let connected = false
  /** Stops leading; undefined while another tab leads. */
  let stopLeading: (() => void) | undefined
  /** Aborts the current request for the lock. */
  let lockController = new AbortController()
  let replyTimer: ReturnType<typeof setTimeout> | undefined
  let closeOwnStream: (() => void) | undefined

  const post = (message: TabMessage) => channel.postMessage(message)
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

  /** Resolves when this tab stops leading. */
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
        // stolen, because this tab did not reply: it follows from now on
        if (error instanceof DOMException && error.name === 'AbortError') join()
        else closeOwnStream = openEventStream(listener) // the browser forbids locks here
      })
  }

  const askForLeader = () => {
    if (stopLeading || closeOwnStream || replyTimer !== undefined) return
    post({ type: 'who' })
    replyTimer = setTimeout(() => {
      replyTimer = undefined
      // a hidden tab can wait; it asks again when it becomes visible
      if (!document.hidden && !stopLeading) requestLock(true)
    }, LEADER_REPLY_TIMEOUT_MS)
  }

  channel.onmessage = ({ data }: MessageEvent<TabMessage>) => {
    if (data.type === 'who') {
      // timers of hidden tabs are slow: a hidden leader without a connection lets a visible tab take over and reconnect
      if (stopLeading && (connected || !document.hidden)) post({ type: 'here', connected, lastId })
      return
    }
    if (stopLeading) return // sent before this tab took over
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
  // a page in the back/forward cache must not hold the lock
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
