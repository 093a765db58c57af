import postgres from 'postgres'
import type { ConnectionOptions } from '../postgres/embedded-server.ts'
import { isSocketUrl, parseDatabaseUrl } from './database-url.ts'

/** A database or a transaction on it: the first parameter of every query. */
export type Db = postgres.Sql | postgres.TransactionSql
export type Pool = postgres.Sql

/** The object id of the type bytea, for arrays of buffers, whose type the driver cannot infer. */
export const BYTEA_OID = 17

/**
 * Opens a pool of named (server-prepared) statements. Times are read as ISO 8601 UTC strings, as in the contract; the driver
 * refuses columns that are undefined in a row object instead of writing null.
 *
 * @param target a PostgreSQL URL, or where the embedded server listens
 * @param size the maximum of connections; 4 to 8 is right when the database shares two cores with the server
 */
export function openPool(target: string | ConnectionOptions, size: number): Pool {
  const options: postgres.Options<Record<string, postgres.PostgresType>> = {
    max: size,
    connect_timeout: 10,
    idle_timeout: 0,
    // seconds before an unreachable database is tried again; the driver's own 20 would be noticed after its return
    backoff: (tries) => (0.5 + Math.random() / 2) * Math.min(3 ** tries / 100, 2),
    onnotice: () => {},
    connection: {
      application_name: 'platenote',
      TimeZone: 'UTC',
      statement_timeout: 30_000,
      lock_timeout: 10_000,
      // an index serves every statement whatever its parameters are: plan once per connection, not once per call
      plan_cache_mode: 'force_generic_plan',
      // … and even while its tables are small: a plan made for ten rows would be kept for a hundred thousand
      enable_seqscan: 'off',
      jit: 'off',
    },
    types: {
      timestamptz: {
        to: 1184,
        from: [1184],
        serialize: (v: Date | string) => (v instanceof Date ? v.toISOString() : v),
        parse: toIsoTime,
      },
    },
  }
  if (typeof target === 'string' && !isSocketUrl(target)) return postgres(target, options)
  const { host, ...rest } = typeof target === 'string' ? parseDatabaseUrl(target) : target
  // a folder means a unix socket in it
  return postgres({ ...options, ...rest, host, ...(host.startsWith('/') && { path: `${host}/.s.PGSQL.${rest.port}` }) })
}

const MIN_TIME = '0001-01-01T00:00:00.000Z'
const MAX_TIME = '9999-12-31T23:59:59.999Z'

/**
 * Converts a time of the database to ISO 8601, whose years have four digits. `infinity` and later years become the last
 * moment of those years, earlier ones the first: such values are set by hand, for example to suspend an account forever.
 */
function toIsoTime(text: string): string {
  if (/^\d{4}-/.test(text) && !text.endsWith('BC')) return new Date(text).toISOString()
  return text.startsWith('-') || text.endsWith('BC') ? MIN_TIME : MAX_TIME
}

/**
 * Lets the first connection look up the array types for all later ones. Otherwise each would query them as it opens, and when
 * it breaks at that moment, the driver's error cannot be caught and ends the process.
 */
export async function preloadTypes(db: Pool): Promise<void> {
  await db`select 1`
  db.options.fetch_types = false
}

/** Returns the SQLSTATE of a database error, or undefined for any other error. */
export const sqlState = (error: unknown): string | undefined =>
  error instanceof postgres.PostgresError ? error.code : undefined

/** Returns the constraint a statement violated, if it violated one. */
export const violatedConstraint = (error: unknown): string | undefined =>
  error instanceof postgres.PostgresError ? error.constraint_name : undefined

/** Codes of a database that is unreachable or overloaded: connections, too many of them, shutdown, timeouts. */
const UNAVAILABLE_CODES = new Set([
  'CONNECT_TIMEOUT',
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  '53300',
  '57P01',
  '57P02',
  '57P03',
  '57014',
  '55P03',
])

/** Returns whether a statement failed because of the database's state and not because of its content, so that a retry may work. */
export const isUnavailable = (error: unknown): boolean => UNAVAILABLE_CODES.has((error as { code?: string }).code ?? '')
