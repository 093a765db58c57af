import { readFileSync } from 'node:fs'
import type { ConnectionOptions as TlsOptions } from 'node:tls'
import { OperatorError } from '../log/operator-error.ts'
import type { ConnectionOptions } from '../postgres/embedded-server.ts'

/** Parses a PostgreSQL URL; absent parts get PostgreSQL's defaults. Options such as `sslmode` are left out. */
export function parseDatabaseUrl(text: string): ConnectionOptions {
  const url = new URL(text)
  const user = decodeURIComponent(url.username) || 'postgres'
  return {
    host: url.searchParams.get('host') ?? (url.hostname || 'localhost'),
    port: Number(url.port || 5432),
    user,
    database: decodeURIComponent(url.pathname.slice(1)) || user,
    ...(url.password && { password: decodeURIComponent(url.password) }),
  }
}

/** The TLS and the session options that a PostgreSQL URL asks for. */
type UrlOptions = { ssl: false | TlsOptions; application_name?: string; options?: string }

const SSL_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full']

/**
 * Parses what a PostgreSQL URL says about the session. `sslmode` means what it means to PostgreSQL's own programs: `require`
 * encrypts, `verify-ca` and `verify-full` also check the certificate, against `sslrootcert` or the system's authorities.
 * `allow` and `prefer` encrypt too, where those would go on in clear with a server that does not.
 */
export function parseUrlOptions(text: string): UrlOptions {
  const given = new URL(text).searchParams
  const read = (name: string) => {
    const path = given.get(name)
    return path === null || path === 'system' ? undefined : readTlsFile(name, path)
  }
  const [ca, cert, key] = [read('sslrootcert'), read('sslcert'), read('sslkey')]
  const mode = given.get('sslmode') ?? (given.has('sslrootcert') ? 'verify-full' : 'disable')
  if (!SSL_MODES.includes(mode)) throw new OperatorError(`sslmode=${mode} is none of ${SSL_MODES.join(', ')}`)
  const isVerified = mode.startsWith('verify-') || ca !== undefined
  const ssl: false | TlsOptions = mode !== 'disable' && {
    rejectUnauthorized: isVerified,
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
    // only `verify-full` compares the name
    ...(isVerified && mode !== 'verify-full' && { checkServerIdentity: () => undefined }),
  }
  const [name, options] = [given.get('application_name'), given.get('options')]
  return { ssl, ...(name !== null && { application_name: name }), ...(options !== null && { options }) }
}

function readTlsFile(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new OperatorError(
      `${name} in DATABASE_URL names ${path}, which cannot be read (${code}): correct the path, or let PlateNote read the file`,
    )
  }
}
