import pg from 'pg'
import type { BuiltStatement, Row, RowList } from './sql.ts'
import { COLUMN_PARSERS } from './values.ts'

export type ConnectionConfig = pg.ClientConfig & { statementTimeoutMs: number; connectTimeoutMs?: number | undefined }

/** A connection could not be opened, or was lost: whether its last statement took effect is unknown. */
export class ConnectionError extends Error {
  override name = 'ConnectionError'
  readonly code: string

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

const CONNECT_TIMEOUT_MS = 5_000
/** The server ends a statement by itself; later than this after that, the server or the way to it is frozen. */
const RESPONSE_GRACE_MS = 5_000
const KEEP_ALIVE_AFTER_MS = 10_000
const CLOSE_TIMEOUT_MS = 1_000

/** The SQLSTATEs after which a connection is of no more use: it ended, or it leads to a server that became a standby. */
const ENDS_CONNECTION = /^(?:08|57P0[1-5]|25006)/

/** What a statement meets whose prepared plan a migration has made obsolete. */
const isObsoletePlan = (error: unknown): error is Error =>
  error instanceof pg.DatabaseError && error.code === '0A000' && error.routine === 'RevalidateCachedQuery'

function toConnectionError(error: unknown): Error {
  if (error instanceof pg.DatabaseError || error instanceof ConnectionError) return error
  const { code, message } = error as NodeJS.ErrnoException
  if (code) return new ConnectionError(code, message || code, { cause: error })
  // the driver has no codes for these
  if (message === 'timeout expired')
    return new ConnectionError('CONNECT_TIMEOUT', 'the database did not answer in time', { cause: error })
  const isInClear = message === 'The server does not support SSL connections'
  return new ConnectionError(isInClear ? 'NO_TLS' : 'CONNECTION_CLOSED', message, { cause: error })
}

/** One connection to the database. Whatever ends it, its statements fail and nothing else does. */
export class Connection {
  /** Why it can no longer be used. */
  broken: Error | undefined
  /** Called once it can no longer be used. */
  onBroken: () => void = () => {}
  /** Resolves once its socket is closed. */
  readonly closed: Promise<void>
  /** When the statements without a response began to wait; undefined when there are none. */
  waitingSince: number | undefined
  /** When it last answered. */
  answeredAt = performance.now()
  readonly #client: pg.Client
  readonly #statementTimeoutMs: number
  #boundMs: number
  #unanswered = 0
  #isHolding = false
  #obsoletePlan: Error | undefined
  readonly #repeatable = new WeakSet<Error>()

  private constructor({ statementTimeoutMs, connectTimeoutMs = CONNECT_TIMEOUT_MS, ...config }: ConnectionConfig) {
    this.#statementTimeoutMs = statementTimeoutMs
    this.#boundMs = responseBound(statementTimeoutMs)
    this.#client = new pg.Client({
      ...config,
      statement_timeout: statementTimeoutMs,
      connectionTimeoutMillis: connectTimeoutMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
      // statements that a transaction starts together are sent together
      pipeline: true,
    })
    // without a listener these would be uncaught, and end the process
    this.#client.on('error', (error) => this.#break(error))
    this.closed = new Promise((resolve) => {
      this.#client.on('end', () => {
        this.#break(new Error('the connection was closed'))
        resolve()
      })
    })
  }

  /** Opens a connection, or throws why that failed. */
  static async open(config: ConnectionConfig): Promise<Connection> {
    const connection = new Connection(config)
    try {
      await connection.#client.connect()
      return connection
    } catch (error) {
      connection.destroy(error as Error)
      throw toConnectionError(error)
    }
  }

  /** Whether the next caller may have it: no transaction is open on it, and its plans are good. */
  get isReusable(): boolean {
    return !this.broken && !this.#obsoletePlan && !this.#isInTransaction
  }

  /** What the first statement met whose plan a migration had made obsolete. From then on no statement uses a kept plan. */
  get obsoletePlan(): Error | undefined {
    return this.#obsoletePlan
  }

  get #isInTransaction(): boolean {
    return this.#client.getTransactionStatus() !== 'I'
  }

  /** The server's process for this connection, as it says itself. */
  get serverPid(): number {
    return (this.#client as unknown as { processID: number }).processID
  }

  get #driverConnection(): pg.Connection {
    return (this.#client as unknown as { connection: pg.Connection }).connection
  }

  onNotification(listener: (channel: string, payload: string) => void): void {
    this.#client.on('notification', ({ channel, payload }) => listener(channel, payload ?? ''))
  }

  /** Limits how long a statement may take from now on, 0 for no limit; the server's own limit is set separately. */
  setStatementTimeout(ms = this.#statementTimeoutMs): void {
    this.#boundMs = responseBound(ms)
  }

  /** Runs a statement. Rejects with a `DatabaseError` when the server refuses it, otherwise with a `ConnectionError`. */
  async run(statement: BuiltStatement): Promise<RowList> {
    try {
      return await this.#send(statement)
    } catch (error) {
      if (!this.#repeatable.has(error as Error)) throw error
      return this.#send(statement)
    }
  }

  #send({ text, name: ownName, values, types }: BuiltStatement): Promise<RowList> {
    return new Promise((resolve, reject) => {
      if (this.broken) return reject(this.#connectionLost(this.broken))
      const name = this.#obsoletePlan ? undefined : ownName
      const query = new pg.Query({ text, types: COLUMN_PARSERS, ...(name && { name }), ...(values && { values }) })
      // the driver has one name for the parsers of columns, which it has taken, and the types of parameters
      Object.assign(query, { types })
      const timer =
        this.#boundMs > 0
          ? setTimeout(() => this.destroy(new ConnectionError('NO_ANSWER', 'no answer in time')), this.#boundMs)
          : undefined
      this.#unanswered++
      this.waitingSince ??= performance.now()
      const onResponse = (error: Error | null, result: pg.QueryResult | pg.QueryResult[]) => {
        clearTimeout(timer)
        this.answeredAt = performance.now()
        this.waitingSince = --this.#unanswered > 0 ? this.answeredAt : undefined
        if (isObsoletePlan(error)) this.#noteObsoletePlan(error)
        if (error) reject(this.#toError(error))
        else resolve(toRows(result))
      }
      this.#client.query(Object.assign(query, { callback: onResponse }))
    })
  }

  /** Called as soon as the error is there: the response to what was sent after it may end the transaction. */
  #noteObsoletePlan(error: Error): void {
    this.#obsoletePlan ??= error
    // outside a transaction nothing was done, and nothing before it is lost; inside, it begins again (`transaction-scope.ts`)
    if (!this.#isInTransaction) this.#repeatable.add(error)
  }

  /** Sends what is run in this turn of the event loop in one piece, at its end. */
  holdWrites(): void {
    if (this.#isHolding) return
    this.#isHolding = true
    const { stream } = this.#driverConnection
    stream.cork()
    process.nextTick(() => {
      this.#isHolding = false
      stream.uncork()
    })
  }

  /** Ends it in an orderly way, by force when the server does not follow. */
  close(): void {
    this.#break(new ConnectionError('CONNECTION_ENDED', 'the connection was closed'))
    this.#client.end().catch(() => {})
    const timer = setTimeout(() => this.#destroySocket(), CLOSE_TIMEOUT_MS)
    void this.closed.then(() => clearTimeout(timer))
  }

  /** Ends it at once; its statements fail. */
  destroy(reason: Error): void {
    this.#break(reason)
    this.#destroySocket()
  }

  #destroySocket(): void {
    this.#driverConnection.stream.destroy()
  }

  #break(reason: Error): void {
    if (this.broken) return
    this.broken = reason
    this.onBroken()
  }

  #toError(error: Error): Error {
    if (error instanceof pg.DatabaseError) {
      if (error.severity === 'FATAL' || error.severity === 'PANIC' || ENDS_CONNECTION.test(error.code ?? ''))
        this.#break(error)
      return error
    }
    // one error ends all statements of a connection: each gets its own, with its own stack
    return this.broken ? this.#connectionLost(this.broken) : error
  }

  #connectionLost(cause: Error): ConnectionError {
    const { code = 'CONNECTION_CLOSED' } = cause as { code?: string }
    return new ConnectionError(code, `the connection to the database was lost: ${cause.message}`, { cause })
  }
}

const responseBound = (statementTimeoutMs: number) =>
  statementTimeoutMs > 0 ? statementTimeoutMs + RESPONSE_GRACE_MS : 0

/** Returns the rows of a statement, or of each statement of a text that contains several. */
function toRows(result: pg.QueryResult | pg.QueryResult[]): RowList {
  if (Array.isArray(result)) return withOutcome(result.map(toRows), 0, '')
  return withOutcome(result.rows, result.rowCount ?? 0, result.command)
}

const withOutcome = (rows: Row[], count: number, command: string): RowList =>
  Object.defineProperties(rows, { count: { value: count }, command: { value: command } }) as unknown as RowList
