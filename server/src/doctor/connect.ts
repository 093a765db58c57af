import { join } from 'node:path'
import type { Config } from '../config.ts'
import { parseDatabaseUrl } from '../db/database-url.ts'
import { openPool, type Pool, sqlState } from '../db/pool.ts'
import type { Transaction } from '../db/transaction-scope.ts'
import { isOperatorError, OperatorError } from '../log/operator-error.ts'
import { findRunningEmbedded } from '../postgres/embedded-server.ts'
import { SECOND_MS } from '../time.ts'
import { codeOf } from './finding.ts'

/** Few, because what is checked may be that too few are left. */
const POOL_SIZE = 2
/** Shorter than a check may take, so that a statement of one does not hold up the next. */
const STATEMENT_TIMEOUT_MS = 4 * SECOND_MS

/** Opens the database of the settings; the embedded one only if it runs, because a start would change it. */
export async function connect(config: Config): Promise<Pool> {
  const target = config.DATABASE_URL ?? (await findRunningEmbedded(join(config.DATA_DIR, 'postgres')))
  if (target === null) {
    throw new OperatorError(
      'the embedded database is not running: start PlateNote (npm start), and run npm run doctor beside it',
    )
  }
  return openPool(target, POOL_SIZE, { statementTimeoutMs: STATEMENT_TIMEOUT_MS })
}

/** Runs `work` in a transaction that cannot write. */
export const readOnly = <T>(db: Pool, work: (tx: Transaction) => Promise<T>): Promise<T> =>
  db.begin('isolation level repeatable read, read only', work)

/** Turns what connecting met into a line that says what to do; it names the server and never the user. */
export function explainConnectionError(error: unknown, { DATABASE_URL }: Config): Error {
  if (isOperatorError(error)) return error
  const server = DATABASE_URL === undefined ? 'the embedded database' : describeServer(DATABASE_URL)
  const code = sqlState(error) ?? codeOf(error)
  const line = (text: string) => new OperatorError(`${server} ${text}`)
  if (/^28/.test(code)) return line(`refuses the user or the password (${code}): correct DATABASE_URL`)
  if (code === '3D000') return line(`has no database of that name (${code}): create it, or correct DATABASE_URL`)
  if (/^53/.test(code)) return line(`has no connection left (${code}): raise max_connections, or end what uses them`)
  if (/^57P0/.test(code)) return line(`is starting or stopping (${code}): try again`)
  if (/^[0-9A-Z]{5}$/.test(code)) return line(`does not let PlateNote in (${code}): correct DATABASE_URL`)
  return line(`cannot be reached (${code}): start it, or correct the host, port and sslmode of DATABASE_URL`)
}

function describeServer(url: string): string {
  const { host, port } = parseDatabaseUrl(url)
  return host.startsWith('/') ? `the database in ${host}` : `the database at ${host}:${port}`
}
