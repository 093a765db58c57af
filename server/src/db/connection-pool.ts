import { setTimeout as delay } from 'node:timers/promises'
import { type Connection, ConnectionError } from './connection.ts'

/** The attempts to connect begin at least so far apart, half as much again at random: at most 20 a second. */
const MIN_ATTEMPT_INTERVAL_MS = 50
/** After failures they are further apart, each time twice as far, up to what may pass unnoticed once the database is back. */
const FIRST_BACKOFF_MS = 50
const MAX_BACKOFF_MS = 1_000
/** While attempts fail there is one at a time; one that gets no response at all delays the next one only so long. */
const SILENT_ATTEMPT_MS = 1_000
/** A caller waits so long for a connection, and so many may wait: a caller that is refused early can retry. */
const ACQUIRE_TIMEOUT_MS = 5_000
const MAX_WAITING = 1_000
/** A connection whose statement has waited so long for its response may be frozen: another may be opened in its place. */
const STALLED_AFTER_MS = 1_000
const STALL_CHECK_MS = 100
/** A response that is on its way arrives within this time, and a server that stood still for two seconds works again. */
const RESPONSE_GRACE_MS = 1_500

/** Decides when a process may try to connect. */
export function createPacer() {
  let nextAt = 0
  let failures = 0
  return {
    isFailing: () => failures > 0,
    /** Resolves when it is the caller's turn. */
    async turn(): Promise<void> {
      const now = performance.now()
      const at = Math.max(now, nextAt)
      nextAt = at + MIN_ATTEMPT_INTERVAL_MS * (1 + Math.random() / 2)
      if (at > now) await delay(at - now, undefined, { ref: false })
    },
    succeeded() {
      failures = 0
    },
    failed() {
      const backoffMs = Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** failures++)
      nextAt = Math.max(nextAt, performance.now() + backoffMs * (0.5 + Math.random() / 2))
    },
  }
}

/** How a pool is used at this moment, and how many callers got no connection in time since it was opened. */
export type PoolFigures = { size: number; open: number; inUse: number; waiting: number; refused: number }

type Waiting = { resolve: (connection: Connection) => void; reject: (error: Error) => void; timer: NodeJS.Timeout }

export type ConnectionPool = ReturnType<typeof createConnectionPool>

/**
 * Keeps up to `size` connections. They are opened when somebody waits for one, and replaced when they break, never faster
 * than the pacer allows. While the database is away callers learn so at the next attempt to reach it.
 */
export function createConnectionPool(
  connect: () => Promise<Connection>,
  size: number,
  acquireTimeoutMs = ACQUIRE_TIMEOUT_MS,
) {
  const pacer = createPacer()
  /** Those that work, and those whose sockets are still there. */
  const open = new Set<Connection>()
  const sockets = new Set<Connection>()
  const idle: Connection[] = []
  let waiting: Waiting[] = []
  let connecting = 0
  let isOpening = false
  let ending: PromiseWithResolvers<void> | undefined
  let refused = 0
  let stallCheck: NodeJS.Timeout | undefined

  const closedError = () => new ConnectionError('CONNECTION_ENDED', 'the pool was closed')

  /** Opens one connection, in turn. `onSilence` is called when that gets no response for a while; it may still succeed. */
  const openPaced = async (onSilence: () => void = () => {}): Promise<Connection> => {
    await pacer.turn()
    if (ending) throw closedError()
    const silence = setTimeout(onSilence, SILENT_ATTEMPT_MS)
    try {
      const connection = await connect()
      pacer.succeeded()
      sockets.add(connection)
      void connection.closed.then(() => {
        sockets.delete(connection)
        if (sockets.size === 0) ending?.resolve()
      })
      if (!ending) return connection
      connection.close()
      throw closedError()
    } catch (error) {
      pacer.failed()
      throw error
    } finally {
      clearTimeout(silence)
    }
  }

  const isStalled = ({ waitingSince }: Connection) =>
    waitingSince !== undefined && performance.now() - waitingSince > STALLED_AFTER_MS
  /** Whether a connection has said nothing since a statement was sent over another one that has stalled. */
  const mayBeFrozen = ({ answeredAt }: Connection) =>
    [...open].some((other) => isStalled(other) && other.waitingSince! > answeredAt)
  const capacity = () => size + Math.min(size, [...open].filter(isStalled).length)
  const needsMore = () => !ending && waiting.length > connecting && open.size + connecting < capacity()

  const stopWaiting = (entry: Waiting) => {
    clearTimeout(entry.timer)
    waiting = waiting.filter((other) => other !== entry)
    if (waiting.length > 0) return
    clearInterval(stallCheck)
    stallCheck = undefined
  }

  const offer = (connection: Connection) => {
    const [next] = waiting
    if (!next) return void idle.push(connection)
    stopWaiting(next)
    next.resolve(connection)
  }

  /** Gives stalled statements up that the server, asked over a new connection, does not work on: their connections are dead. */
  const closeDeadConnections = async (asked: Connection) => {
    const stalled = [...open].filter(isStalled).map((connection) => ({ connection, since: connection.waitingSince }))
    if (stalled.length === 0) return
    const [row] = await asked.run({
      text: `select pg_backend_pid() as own, array(select pid from pg_stat_activity where state = 'active') as active`,
    })
    // a pooler in between hides the server's processes
    if (row?.['own'] !== asked.serverPid) return
    const dead = stalled.filter(({ connection }) => !(row['active'] as number[]).includes(connection.serverPid))
    await delay(RESPONSE_GRACE_MS, undefined, { ref: false })
    for (const { connection, since } of dead)
      if (connection.waitingSince === since)
        connection.destroy(new ConnectionError('NO_ANSWER', 'the server knows nothing of the statement'))
  }

  const add = (connection: Connection) => {
    closeDeadConnections(connection).catch(() => {}) // a connection that fails is noticed by its user
    open.add(connection)
    connection.onBroken = () => {
      open.delete(connection)
      const index = idle.indexOf(connection)
      if (index >= 0) idle.splice(index, 1)
      void openWhatIsNeeded()
    }
    if (connection.broken) connection.onBroken()
    // an attempt that was silent for long may succeed when nobody needs it any more
    else if (waiting.length === 0 && open.size > size) connection.close()
    else offer(connection)
  }

  /** Opens a connection for those who wait. Resolves when the next attempt may begin. */
  const tryToOpen = async () => {
    connecting++
    const { promise: isOver, resolve } = Promise.withResolvers<void>()
    void isOver.then(() => {
      connecting--
      void openWhatIsNeeded()
    })
    void openForWaiting(resolve).finally(resolve)
    return isOver
  }

  const openForWaiting = async (onSilence: () => void) => {
    try {
      add(await openPaced(onSilence))
    } catch (error) {
      // those that wait may still be served by the existing connections
      if (open.size > 0) return
      for (const entry of waiting) {
        stopWaiting(entry)
        entry.reject(error as Error)
      }
    }
  }

  const openWhatIsNeeded = async () => {
    if (isOpening) return
    isOpening = true
    while (needsMore()) {
      const isOver = tryToOpen()
      if (pacer.isFailing()) await isOver
    }
    isOpening = false
  }

  return {
    /** Opens a connection of its own, outside the pool's size but in its turn. */
    openPaced,
    /** Resolves with a connection for the caller alone, who must release it. */
    acquire(): Promise<Connection> {
      if (ending) return Promise.reject(closedError())
      for (let found = idle.pop(); found; found = idle.pop()) {
        if (!mayBeFrozen(found)) return Promise.resolve(found)
        found.close()
      }
      if (waiting.length >= MAX_WAITING) {
        refused++
        return Promise.reject(new ConnectionError('POOL_EXHAUSTED', 'too many wait for a connection'))
      }
      return new Promise((resolve, reject) => {
        const entry: Waiting = {
          resolve,
          reject,
          timer: setTimeout(() => {
            stopWaiting(entry)
            refused++
            reject(new ConnectionError('POOL_EXHAUSTED', 'no connection became free in time'))
          }, acquireTimeoutMs),
        }
        waiting.push(entry)
        stallCheck ??= setInterval(() => void openWhatIsNeeded(), STALL_CHECK_MS)
        void openWhatIsNeeded()
      })
    },
    release(connection: Connection): void {
      if (connection.broken) return
      // one that replaced a stalled one is needed while others wait and that is stalled
      const isSurplus = open.size > size && (waiting.length === 0 || open.size > capacity())
      if (ending || !connection.isReusable || isSurplus) connection.close()
      else offer(connection)
    },
    figures: (): PoolFigures => ({
      size,
      open: open.size,
      inUse: open.size - idle.length,
      waiting: waiting.length,
      refused,
    }),
    /** Refuses further use, waits until every connection was released, and closes them; after `timeoutMs` by force. */
    async end(timeoutMs?: number): Promise<void> {
      if (ending) return ending.promise
      ending = Promise.withResolvers<void>()
      for (const entry of waiting) {
        stopWaiting(entry)
        entry.reject(closedError())
      }
      for (const connection of idle.splice(0)) connection.close()
      if (sockets.size === 0) ending.resolve()
      const force = () => {
        for (const connection of sockets) connection.destroy(closedError())
      }
      const timer = timeoutMs === undefined ? undefined : setTimeout(force, timeoutMs)
      await ending.promise
      clearTimeout(timer)
    },
  }
}
