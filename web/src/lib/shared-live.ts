import { type LiveEvent, type LiveListener, listen } from '~/lib/live'

/** A tab that is looked at asks this often whether the leading tab is still there … */
const ASK_EVERY_MS = 10_000
/** … and leads itself when no answer comes within this time. */
const ANSWER_WITHIN_MS = 3_000

/** What tabs say to each other. */
type Word =
  | { word: 'event'; event: LiveEvent }
  | { word: 'open' }
  | { word: 'lost' }
  /** Who leads? */
  | { word: 'who' }
  /** I do, and whether I am connected; `lastId`: the last event I saw. */
  | { word: 'here'; connected: boolean; lastId: string }

/**
 * As `listen`, with one stream for all tabs of a browser: the tab that holds a Web Lock leads, has the stream and passes on
 * what comes. When it closes, the next one gets the lock and goes on after the last event it saw. A tab may also be stopped
 * by the browser while it holds the lock: a tab that is looked at and gets no answer takes the lock away from it.
 *
 * Without Web Locks (plain http, old browsers) each tab has a stream of its own.
 *
 * @param account whose stream it is: tabs of different accounts share nothing
 */
export function listenShared(account: string, listener: LiveListener): () => void {
  if (!navigator.locks) return listen(listener)
  const { locks } = navigator
  const name = `platenote-live-${account}`
  const channel = new BroadcastChannel(name)
  let lastId = ''
  let connected = false
  /** Ends the leading; undefined while another tab leads. */
  let stepDown: (() => void) | undefined
  /** The present request for the lock; aborted: given up. */
  let request = new AbortController()
  let unanswered: ReturnType<typeof setTimeout> | undefined
  let alone: (() => void) | undefined

  const say = (word: Word) => channel.postMessage(word)
  const hear = (event: LiveEvent) => {
    if (event.id) lastId = event.id
    listener.onEvent(event)
  }
  const opened = () => {
    connected = true
    listener.onOpen()
  }
  const lost = () => {
    connected = false
    listener.onLost()
  }
  const answered = () => {
    clearTimeout(unanswered)
    unanswered = undefined
  }

  /** Resolves when this tab leads no more. */
  const lead = () =>
    new Promise<void>((resolve) => {
      answered()
      const share: LiveListener = {
        ...listener,
        onEvent: (event) => {
          hear(event)
          say({ word: 'event', event })
        },
        onOpen: () => {
          opened()
          say({ word: 'open' })
        },
        onLost: () => {
          lost()
          say({ word: 'lost' })
        },
      }
      const stop = listen(share, lastId)
      stepDown = () => {
        stepDown = undefined
        stop()
        resolve()
      }
    })

  const queue = (steal: boolean) => {
    request.abort()
    const mine = new AbortController()
    request = mine
    locks
      .request(name, steal ? { steal } : { signal: mine.signal }, () => (mine.signal.aborted ? undefined : lead()))
      .catch((error: unknown) => {
        if (mine.signal.aborted) return
        stepDown?.()
        // taken away, because this tab did not answer: it follows from now on
        if (error instanceof DOMException && error.name === 'AbortError') join()
        else alone = listen(listener) // the browser forbids locks here
      })
  }

  const ask = () => {
    if (stepDown || alone || unanswered !== undefined) return
    say({ word: 'who' })
    unanswered = setTimeout(() => {
      unanswered = undefined
      // a tab nobody sees can wait; it asks again when it is looked at
      if (!document.hidden && !stepDown) queue(true)
    }, ANSWER_WITHIN_MS)
  }

  channel.onmessage = ({ data }: MessageEvent<Word>) => {
    if (data.word === 'who') {
      // timers of hidden tabs are slow: one that has lost its connection lets a tab that is looked at find it again
      if (stepDown && (connected || !document.hidden)) say({ word: 'here', connected, lastId })
      return
    }
    if (stepDown) return // said before this tab took over
    if (data.word === 'lost') return lost()
    answered()
    if (data.word === 'event') return hear(data.event)
    if (data.word === 'here' && data.lastId) lastId = data.lastId
    if (data.word === 'open' || (data.connected && !connected)) opened()
  }

  const join = () => {
    if (stepDown || alone) return
    lost()
    queue(false)
    ask()
  }
  const leave = () => {
    answered()
    request.abort()
    stepDown?.()
  }
  const askWhenSeen = () => !document.hidden && ask()

  const asking = setInterval(askWhenSeen, ASK_EVERY_MS)
  const stop = new AbortController()
  const { signal } = stop
  document.addEventListener('visibilitychange', askWhenSeen, { signal })
  addEventListener('online', askWhenSeen, { signal })
  // a page the browser puts away holds nothing
  addEventListener('pagehide', leave, { signal })
  addEventListener('pageshow', ({ persisted }) => persisted && join(), { signal })
  document.addEventListener('freeze', leave, { signal })
  document.addEventListener('resume', join, { signal })
  join()

  return () => {
    clearInterval(asking)
    stop.abort()
    leave()
    alone?.()
    channel.close()
  }
}
