import type { Config } from '../config.ts'
import { isOperatorError, OperatorError } from '../log/operator-error.ts'
import { ConnectionError } from './connection.ts'
import { parseDatabaseUrl } from './database-url.ts'
import { isFatal, sqlState } from './pool.ts'

/**
 * What the codes of the operating system, of TLS and of PostgreSQL mean to the operator, and what to do; the first that matches.
 * Only those stand here that the operator can do something about: any other code is a mistake of the program, and keeps its stack.
 */
const ADVICE: [codes: RegExp, what: string, todo: string][] = [
  [/^28P01$/, 'refuses the user or the password', 'correct DATABASE_URL'],
  [
    /^28/,
    'does not let this user in from here',
    'correct DATABASE_URL, or pg_hba.conf there, which may want another sslmode',
  ],
  [/^3D000$/, 'has no database of that name', 'create it, or correct DATABASE_URL'],
  [/^53100$/, 'has no space left on its disk', 'enlarge it, and try again'],
  [/^53300$/, 'has no connection left', 'raise max_connections, or end what uses them'],
  [/^53/, 'has no memory or other resources left', 'look at what runs there, and try again'],
  [/^57P0/, 'is starting or stopping', 'try again'],
  [/^25006$/, 'can only be read', 'let DATABASE_URL lead to the primary, or try again after the failover'],
  [/^57014$/, 'took too long for a statement', 'see what else runs in it, and try again'],
  [/^55P03$/, 'is held up by a restore or another long transaction', 'try again when that is over'],
  [/^CERT_HAS_EXPIRED$/, 'has a certificate that has expired', 'renew it there'],
  [/^CERT_NOT_YET_VALID$/, 'has a certificate that is not valid yet', 'set the clocks of both machines by NTP'],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, 'has a certificate for another name', 'let DATABASE_URL name the host as it does'],
  [
    /CERT|^UNABLE_TO_/,
    'has a certificate that cannot be verified',
    'let sslrootcert in DATABASE_URL name the certificate of its authority',
  ],
  [/^ERR_OSSL_/, 'could not be shown a certificate', 'correct sslcert and sslkey in DATABASE_URL'],
  [/^NO_TLS$/, 'does not encrypt', 'switch ssl on there, or correct sslmode in DATABASE_URL'],
  [/^(?:EPROTO$|ERR_SSL_)/, 'could not agree on the encryption', 'update its TLS, or correct the port of DATABASE_URL'],
  [
    /^(?:ETIMEDOUT|CONNECT_TIMEOUT|NO_ANSWER)$/,
    'does not answer',
    'see whether it runs and a firewall lets PlateNote through, or correct the host and port of DATABASE_URL',
  ],
]

const UNREACHABLE = ['cannot be reached', 'start it, or correct the host, port and sslmode of DATABASE_URL'] as const
const REFUSED = ['does not let PlateNote in', 'correct DATABASE_URL'] as const
const MISSING_RIGHT = '42501'

/**
 * Returns what a database met that is away, refuses or is full as one line that says what to do; any other error as it is. The
 * line names the server and never the user.
 */
export function explainDatabaseError(error: unknown, config: Config): unknown {
  const state = sqlState(error)
  const isForOperator =
    error instanceof ConnectionError ||
    isFatal(error) ||
    state === MISSING_RIGHT ||
    (state !== undefined && ADVICE.some(([codes]) => codes.test(state)))
  return isForOperator ? explainConnectionError(error, config) : error
}

/** Turns whatever connecting met into a line that says what to do; it names the server and never the user. */
export function explainConnectionError(error: unknown, { DATABASE_URL }: Config): Error {
  if (isOperatorError(error)) return error
  const state = sqlState(error)
  const { code: errorCode, name, message } = error as NodeJS.ErrnoException
  const code = state ?? errorCode ?? name
  const server = DATABASE_URL === undefined ? 'the embedded database' : describeServer(DATABASE_URL)
  if (state === MISSING_RIGHT) {
    // it names a table or a schema, never a value
    return new OperatorError(
      `${server} does not give PlateNote a right it needs (${code}, ${message}): platenote doctor says which an administrator has to grant`,
    )
  }
  if (DATABASE_URL === undefined && error instanceof ConnectionError)
    return new OperatorError(`${server} went away (${code}): its log, postgres/log in DATA_DIR, says why; try again`)
  const known = ADVICE.find(([codes]) => codes.test(code))
  const [what, todo] = known ? [known[1], known[2]] : state === undefined ? UNREACHABLE : REFUSED
  return new OperatorError(`${server} ${what} (${code}): ${todo}`)
}

function describeServer(url: string): string {
  const { host, port } = parseDatabaseUrl(url)
  return host.startsWith('/') ? `the database in ${host}` : `the database at ${host}:${port}`
}
