import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { Connection, type ConnectionConfig, ConnectionError, toConnectionError } from './connection.ts'

// The pool is the driver's own. What it lacks is here: pauses between attempts to connect, a limit to those who wait, and
// giving up connections that have frozen.

/** The attempts to connect begin at least so far apart, half as much again at random: at most 20 a second. */
const MIN_ATTEMPT_INTERVAL_MS = 50
/** After failures they are further apart, each time twice as far, up to what may pass unnoticed once the database is back. */
const FIRST_BACKOFF_MS = 50
const MAX_BACKOFF_MS = 1_000
/** A caller waits so long for a connection, and so many may wait: a caller that is refused early can retry. */
const ACQUIRE_TIMEOUT_MS = 5_000
const MAX_WAITING = 1_000
/** A connection whose statement has waited so long for its response may be frozen: the server is asked whether it works on it. */
const STALLED_AFTER_MS = 1_000
const STALL_CHECK_MS = 250
/** A statement that the server does work on is asked about again after this time. */
const NEXT_INQUIRY_MS = 5_000
/** A response that the server has sent must arrive within this time. */
const RESPONSE_GRACE_MS = 500

/**
 * Paces attempts of one process to connect. After one that failed, others fail at once with its error until its pause is over;
 * then one at a time tries again.
 */
export function createPacer() {
  let nextAt = 0
  let failures = 0
  let retryAt = 0
  let lastError: unknown
  let isRetrying = false

  const noteFailure = (error: unknown, failuresBefore: number) => {
    lastError = error
    // those that began together fail together, which is one failure
    if (failures !== failuresBefore) return
    const backoffMs = Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** failures++)
    retryAt = performance.now() + backoffMs * (0.5 + Math.random() / 2)
  }

  return {
    /** Resolves when the pause after a failed attempt is over. */
    pause: () => delay(Math.max(0, retryAt - performance.now()), undefined, { ref: false }),
    /** Makes an attempt in its turn, or throws the error of the last one. */
    async attempt<T>(connect: () => Promise<T>): Promise<T> {
      const failuresBefore = failures
      if (failures > 0) {
        if (isRetrying || performance.now() < retryAt) throw toConnectionError(lastError)
        isRetrying = true
      }
      try {
        const now = performance.now()
        const at = Math.max(now, nextAt)
        nextAt = at + MIN_ATTEMPT_INTERVAL_MS * (1 + Math.random() / 2)
        if (at > now) await delay(at - now, undefined, { ref: false })
        const result = await connect()
        failures = 0
        return result
      } catch (error) {
        noteFailure(error, failuresBefore)
        throw toConnectionError(error)
      } finally {
        if (failuresBefore > 0) isRetrying = false
      }
    },
  }
}

/** How a pool is used at this moment, and how many callers got no connection in time since it was opened. */
export type PoolFigures = { size: number; open: number; inUse: number; waiting: number; refused: number }

export type ConnectionPool = ReturnType<typeof createConnectionPool>

/** Keeps up to `size` connections, which are opened when somebody waits for one and replaced when they break. */
export function createConnectionPool(config: ConnectionConfig, size: number) {
  const pacer = createPacer()
  /** Those whose sockets are still there. */
  const connections = new Set<Connection>()
  /** Those of the pool that nobody uses. */
  const idle = new Set<Connection>()
  let refused = 0
  let isEnded = false

  const track = (connection: Connection): Connection => {
    connections.add(connection)
    void connection.closed.then(() => {
      connections.delete(connection)
      idle.delete(connection)
    })
    if (isEnded) connection.close()
    return connection
  }

  class PacedClient extends pg.Client {
    // from the beginning: it may break before the pool listens to its errors
    readonly wrapped = new Connection(this, config)

    // biome-ignore lint/suspicious/noExplicitAny: the driver's pool calls it with a callback, whose type is declared twice
    override connect(callback?: (...outcome: any[]) => void): Promise<pg.Client> {
      const attempt = pacer.attempt(() => super.connect())
      if (callback) attempt.then((client) => callback(null, client), callback)
      return attempt
    }
  }

  const pool = new pg.Pool({
    ...Connection.options(config),
    Client: PacedClient,
    max: size,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: ACQUIRE_TIMEOUT_MS,
  })
  pool.on('error', () => {}) // a connection that breaks while nobody uses it is replaced when somebody needs it
  pool.on('connect', (client) => track((client as unknown as PacedClient).wrapped))

  const closedError = () => new ConnectionError('CONNECTION_ENDED', 'the pool was closed')
  const exhausted = (message: string) => {
    refused++
    return new ConnectionError('POOL_EXHAUSTED', message)
  }

  /** Opens a connection of its own, outside the pool's size but in its turn. */
  const openPaced = async (): Promise<Connection> => {
    if (isEnded) throw closedError()
    return track(await pacer.attempt(() => Connection.open(config)))
  }

  const checkOut = async (): Promise<Connection> => {
    const givesUpAt = performance.now() + ACQUIRE_TIMEOUT_MS
    for (;;) {
      try {
        const { wrapped: connection } = (await pool.connect()) as unknown as PacedClient
        idle.delete(connection)
        return connection
      } catch (error) {
        if (isEnded) throw closedError()
        // the pool has no code for it
        if ((error as Error).message === 'timeout exceeded when trying to connect')
          throw exhausted('no connection became free in time')
        // a server that takes no more connections still answers over those there are
        if (pool.totalCount === 0 || performance.now() > givesUpAt) throw error
        await pacer.pause()
      }
    }
  }

  const askedAt = new WeakMap<Connection, number>()
  const isStalled = (connection: Connection, now: number) =>
    connection.waitingSince !== undefined &&
    now - Math.max(connection.waitingSince, (askedAt.get(connection) ?? -Infinity) + NEXT_INQUIRY_MS) > STALLED_AFTER_MS

  /**
   * Gives stalled statements up that the server, asked over a new connection, does not work on. Their connections are dead, and so
   * may be those that have been silent since.
   */
  const closeDeadConnections = async () => {
    const now = performance.now()
    const stalled = [...connections]
      .filter((connection) => isStalled(connection, now))
      .map((connection) => ({ connection, since: connection.waitingSince! }))
    if (stalled.length === 0) return
    for (const { connection } of stalled) askedAt.set(connection, now)
    const asked = await openPaced()
    try {
      const [row] = await asked.run({
        text: `select pg_backend_pid() as own, array(select pid from pg_stat_activity where state = 'active') as active`,
      })
      // a pooler in between hides the server's processes
      if (row?.['own'] !== asked.serverPid) return
      const dead = stalled.filter(({ connection }) => !(row['active'] as number[]).includes(connection.serverPid))
      await delay(RESPONSE_GRACE_MS, undefined, { ref: false })
      for (const { connection, since } of dead.filter((one) => one.connection.waitingSince === one.since)) {
        connection.destroy(new ConnectionError('NO_ANSWER', 'the server knows nothing of the statement'))
        for (const other of idle) if (other.answeredAt < since) other.destroy(closedError())
      }
    } finally {
      asked.close()
    }
  }
  let isAsking = false
  const stallCheck = setInterval(() => {
    if (isAsking) return
    isAsking = true
    closeDeadConnections()
      .catch(() => {}) // whoever uses the connections notices
      .finally(() => {
        isAsking = false
      })
  }, STALL_CHECK_MS)
  stallCheck.unref()

  return {
    openPaced,
    /** Resolves with a connection for the caller alone, who must release it. */
    async acquire(): Promise<Connection> {
      if (isEnded) throw closedError()
      if (pool.waitingCount >= MAX_WAITING) throw exhausted('too many wait for a connection')
      return checkOut()
    },
    release(connection: Connection): void {
      if (connection.isReusable) idle.add(connection)
      else connection.close()
      ;(connection.client as pg.Client & pg.PoolClient).release(!connection.isReusable)
    },
    figures: (): PoolFigures => ({
      size,
      open: pool.totalCount,
      inUse: pool.totalCount - pool.idleCount,
      waiting: pool.waitingCount,
      refused,
    }),
    /** Refuses further use, waits until every connection was released, and closes them; after `timeoutMs` by force. */
    async end(timeoutMs?: number): Promise<void> {
      clearInterval(stallCheck)
      const force = () => {
        for (const connection of connections) connection.destroy(closedError())
      }
      const timer = timeoutMs === undefined ? undefined : setTimeout(force, timeoutMs)
      const closed = [...connections].map((connection) => connection.closed)
      if (!isEnded) void pool.end()
      isEnded = true
      await Promise.all(closed)
      clearTimeout(timer)
    },
  }
}
