import postgres from 'postgres'
import type { ConnectionOptions } from '../postgres/embedded-server.ts'
import { isSocketUrl, parseDatabaseUrl } from './database-url.ts'

/** A database or a transaction on it: what every query takes first. */
export type Db = postgres.Sql | postgres.TransactionSql
export type Pool = postgres.Sql

/** Object id of the type bytea, for arrays of buffers, whose type the driver cannot tell. */
export const BYTEA_OID = 17

/**
 * Opens a pool of named (server-prepared) statements. Times come out as ISO 8601 UTC strings, as the contract has them;
 * columns that are undefined in a row object are refused by the driver rather than written as null.
 *
 * @param target a PostgreSQL URL, or where the embedded server listens
 * @param size most connections at once; 4 to 8 is right beside a database on the same two cores
 */
export function openPool(target: string | ConnectionOptions, size: number): Pool {
  const options: postgres.Options<Record<string, postgres.PostgresType>> = {
    max: size,
    connect_timeout: 10,
    idle_timeout: 0,
    // seconds before the next try at a database that is away; the driver's own 20 would be felt after its return
    backoff: (tries) => (0.5 + Math.random() / 2) * Math.min(3 ** tries / 100, 2),
    onnotice: () => {},
    connection: {
      application_name: 'platenote',
      TimeZone: 'UTC',
      statement_timeout: 30_000,
      lock_timeout: 10_000,
      // every statement is served by an index whatever its parameters are: planned once a connection, not once a call
      plan_cache_mode: 'force_generic_plan',
      // … and by an index also while its tables are small: a plan made for ten rows would be kept for a hundred thousand
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
 * A time of the database in ISO 8601, whose years have four digits. `infinity`, or a year beyond, is the last moment of
 * those years (before them, the first): somebody writes them by hand, and an account suspended for ever is still read.
 */
function toIsoTime(text: string): string {
  if (/^\d{4}-/.test(text) && !text.endsWith('BC')) return new Date(text).toISOString()
  return text.startsWith('-') || text.endsWith('BC') ? MIN_TIME : MAX_TIME
}

/**
 * Lets the first connection look up the array types, for all that are opened later: they share what it found. Each would
 * else ask anew when it opens, and when it breaks at that moment nobody can catch the driver's error, and the process ends.
 */
export async function preloadTypes(db: Pool): Promise<void> {
  await db`select 1`
  db.options.fetch_types = false
}

/** SQLSTATE of an error of the database, or undefined for any other error. */
export const sqlState = (error: unknown): string | undefined =>
  error instanceof postgres.PostgresError ? error.code : undefined

/** The constraint a statement broke, if it broke one. */
export const violatedConstraint = (error: unknown): string | undefined =>
  error instanceof postgres.PostgresError ? error.constraint_name : undefined

/** Codes that say the database is away or drowning: connections, too many of them, shutdown, time-outs. */
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

/** Whether a statement failed because of the state of the database, not because of what it said; a later try may work. */
export const isUnavailable = (error: unknown): boolean => UNAVAILABLE_CODES.has((error as { code?: string }).code ?? '')
