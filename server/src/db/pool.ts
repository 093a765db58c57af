import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { readVersion } from '../config.ts'
import type { ConnectionOptions } from '../postgres/embedded-server.ts'
import { Connection, type ConnectionConfig, ConnectionError } from './connection.ts'
import { type ConnectionPool, createConnectionPool, createPacer, type PoolFigures } from './connection-pool.ts'
import { parseDatabaseUrl, parseUrlOptions } from './database-url.ts'
import { createDb, type Db, Identifier } from './sql.ts'
import { runTransaction, type Transaction } from './transaction-scope.ts'

type ChannelSubscription = { unlisten(): Promise<void> }

/** No statements run over this connection, so nothing would show that it is frozen: it is probed. */
const HEARTBEAT_MS = 5_000

/** Listens on a channel until `unlisten` is called. Throws when that cannot begin; later it begins again by itself. */
async function listenOn(
  connections: Pick<ConnectionPool, 'openPaced'>,
  channel: string,
  onNotify: (payload: string) => void,
  onListen: () => void = () => {},
): Promise<ChannelSubscription> {
  // a standby accepts the connection and refuses to listen: the pool's pacer sees only that connecting works
  const pacer = createPacer()
  let isStopped = false
  let current: Connection | undefined

  const begin = async (): Promise<Connection> => {
    await pacer.turn()
    const connection = await connections.openPaced()
    current = connection
    try {
      connection.onNotification((from, payload) => from === channel && onNotify(payload))
      await connection.run({ text: `listen ${new Identifier(channel).text}` })
      pacer.succeeded()
    } catch (error) {
      connection.close()
      pacer.failed()
      throw error
    }
    if (isStopped) connection.close()
    else onListen()
    return connection
  }

  const keepListening = async (first: Connection) => {
    let connection: Connection | undefined = first
    while (!isStopped) {
      if (connection) await watch(connection)
      if (!isStopped) connection = await begin().catch(() => undefined)
    }
  }

  void keepListening(await begin())
  return {
    async unlisten() {
      isStopped = true
      current?.close()
      await current?.closed
    },
  }
}

/** Resolves when the connection can no longer be used, also when it has fallen silent. */
async function watch(connection: Connection): Promise<void> {
  for (;;) {
    const beat = new AbortController()
    await Promise.race([
      connection.closed,
      delay(HEARTBEAT_MS, undefined, { ref: false, signal: beat.signal }).catch(() => {}),
    ])
    beat.abort()
    if (connection.broken) return
    const deadline = setTimeout(
      () => connection.destroy(new ConnectionError('NO_ANSWER', 'no answer in time')),
      HEARTBEAT_MS,
    )
    await connection.run({ text: 'select 1' }).catch(() => {})
    clearTimeout(deadline)
  }
}

/**
 * Runs `work` on a connection, over which the statements it starts in one turn of the event loop are sent in one piece. They run
 * one after the other, and one that fails undoes no other. Resolves or rejects once all of them have ended, when the connection
 * is free again.
 */
async function runPipelined<T>(connection: Connection, work: (db: Db) => Promise<T>): Promise<T> {
  const running: Promise<unknown>[] = []
  let isOver = false
  const db = createDb((statement) => {
    if (isOver) throw new Error('the connection was returned to the pool')
    connection.holdWrites()
    const response = connection.run(statement)
    running.push(response)
    return response
  })
  try {
    return await work(db)
  } finally {
    isOver = true
    await Promise.allSettled(running)
  }
}

export type { Db, Fragment, PendingQuery, Row, RowList } from './sql.ts'
export type { Transaction } from './transaction-scope.ts'

/** One connection that its holder alone uses, until it is released. */
export interface ReservedConnection extends Db {
  /** Limits statements from now on until the connection is released, 0 for no limit. */
  setStatementTimeout(ms: number): Promise<void>
  release(): void
}

/** The database of a process. */
export interface Pool extends Db {
  /**
   * Runs `work` in a transaction, with the options of `begin`, and returns its result after the commit. After a migration it may
   * be run twice: the first time is then undone in the database, and only there.
   */
  begin<T>(work: (tx: Transaction) => T | PromiseLike<T>): Promise<T>
  begin<T>(options: string, work: (tx: Transaction) => T | PromiseLike<T>): Promise<T>
  /**
   * Runs `work` with one connection, over which the statements it starts together are sent together, each a transaction of its
   * own: one place in the pool and one round trip instead of one for each. For short reads: each waits for those before it.
   */
  pipeline<T>(work: (db: Db) => Promise<T>): Promise<T>
  reserve(): Promise<ReservedConnection>
  /**
   * Listens on a channel over a connection of its own, which is opened again whenever it was lost.
   *
   * @param onListen called whenever listening begins: notifications may have been missed before
   */
  listen(channel: string, onNotify: (payload: string) => void, onListen?: () => void): Promise<ChannelSubscription>
  /** Returns how the connections are used at this moment. */
  figures(): PoolFigures
  /** Waits for what runs and closes all connections, after `timeout` seconds by force. */
  end(options?: { timeout?: number }): Promise<void>
}

const STATEMENT_TIMEOUT_MS = 30_000
const LOCK_TIMEOUT_MS = 10_000
/** A transaction that was idle for so long is rolled back: its process or the network to it has failed. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 60_000

/** How long things may take: a statement (0 for no limit), and waiting for a lock, for a connection, and for the server to accept one. */
type PoolTimeouts = {
  statementTimeoutMs?: number
  lockTimeoutMs?: number
  acquireTimeoutMs?: number
  connectTimeoutMs?: number
}

/** The settings of every session. */
const SESSION_SETTINGS: Record<string, string> = {
  TimeZone: 'UTC',
  // an index serves every statement whatever its parameters are: plan once per connection, not once per call
  plan_cache_mode: 'force_generic_plan',
  // … and even while its tables are small: a plan made for ten rows would be kept for a hundred thousand
  enable_seqscan: 'off',
  jit: 'off',
}

/**
 * Opens a pool of connections with named (server-prepared) statements (docs/decisions/database-access.md). Times are read as ISO 8601 UTC
 * strings, as in the contract; a parameter that is undefined is refused instead of written as null. However a connection
 * ends, only its own statements fail, with an error that `isUnavailable` recognizes.
 *
 * @param target a PostgreSQL URL, or where the embedded server listens
 * @param size the connections, up to twice as many while statements wait for locks; 4 to 8 is right when the database shares two cores with the server
 */
export function openPool(
  target: string | ConnectionOptions,
  size: number,
  {
    statementTimeoutMs = STATEMENT_TIMEOUT_MS,
    lockTimeoutMs = LOCK_TIMEOUT_MS,
    acquireTimeoutMs,
    connectTimeoutMs,
  }: PoolTimeouts = {},
): Pool {
  const fromUrl = typeof target === 'string' ? parseUrlOptions(target) : { ssl: false as const }
  const config: ConnectionConfig = {
    application_name: `platenote/${readVersion()}`,
    ...(typeof target === 'string' ? parseDatabaseUrl(target) : target),
    ...fromUrl,
    options: Object.entries(SESSION_SETTINGS)
      .map(([name, value]) => `-c ${name}=${value}`)
      .concat(fromUrl.options ?? [])
      .join(' '),
    statementTimeoutMs,
    connectTimeoutMs,
    lock_timeout: lockTimeoutMs,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
  }
  return createPool(createConnectionPool(() => Connection.open(config), size, acquireTimeoutMs))
}

function createPool(connections: ConnectionPool): Pool {
  /** Lends a connection to `work` alone. */
  const withConnection = async <T>(work: (connection: Connection) => Promise<T>): Promise<T> => {
    const connection = await connections.acquire()
    try {
      return await work(connection)
    } finally {
      connections.release(connection)
    }
  }
  const db = createDb((statement) => withConnection((connection) => connection.run(statement)))
  const subscriptions = new Set<ChannelSubscription>()

  return Object.assign(db, {
    async begin<T>(...args: [string, (tx: Transaction) => T] | [(tx: Transaction) => T]) {
      const [options, work] = args.length === 1 ? (['', args[0]] as const) : args
      return withConnection((connection) => runTransaction(connection, options, work))
    },
    pipeline<T>(work: (db: Db) => Promise<T>) {
      return withConnection((connection) => runPipelined(connection, work))
    },
    async reserve(): Promise<ReservedConnection> {
      const connection = await connections.acquire()
      let isLimited = true
      const reserved = createDb((statement) => connection.run(statement))
      return Object.assign(reserved, {
        async setStatementTimeout(ms: number) {
          isLimited = false
          connection.setStatementTimeout(ms)
          await reserved`select set_config('statement_timeout', ${String(ms)}, false)`
        },
        release() {
          // a session whose settings were changed is not handed on
          if (isLimited) connections.release(connection)
          else connection.close()
        },
      })
    },
    async listen(channel: string, onNotify: (payload: string) => void, onListen?: () => void) {
      const subscription = await listenOn(connections, channel, onNotify, onListen)
      subscriptions.add(subscription)
      return subscription
    },
    figures: connections.figures,
    async end({ timeout }: { timeout?: number } = {}) {
      for (const subscription of subscriptions) void subscription.unlisten()
      await connections.end(timeout === undefined ? undefined : timeout * 1000)
    },
  }) as Pool
}

/** Returns the SQLSTATE of a database error, or undefined for any other error. */
export const sqlState = (error: unknown): string | undefined =>
  error instanceof pg.DatabaseError ? error.code : undefined

/** Returns whether an error ended its session, or kept it from beginning. */
export const isFatal = (error: unknown): boolean => error instanceof pg.DatabaseError && error.severity === 'FATAL'

/** Returns the constraint a statement violated, if it violated one. */
export const violatedConstraint = (error: unknown): string | undefined =>
  error instanceof pg.DatabaseError ? error.constraint : undefined

/**
 * The SQLSTATEs of a database that cannot work now: connections (class 08), resources such as disk or connections (53), its
 * shutdown, start and time limits (57), its system (58), a standby (25006), a transaction it gave up (25P03), a lock that was
 * not granted in time (55P03).
 */
const UNAVAILABLE_STATES = /^(?:08|53|57|58|25006|25P03|55P03)/

/** Returns whether a statement failed because of the database's state and not because of its content, so that a retry may work. */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof ConnectionError || UNAVAILABLE_STATES.test(sqlState(error) ?? '')
