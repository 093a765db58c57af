import type { ConnectionOptions } from '../postgres/embedded-server.ts'

/**
 * A database as one string, as `DATABASE_URL` takes it. A unix socket is written as PostgreSQL's own programs do:
 * `postgres://user@localhost:5432/name?host=/folder/of/the/socket`.
 */
export function formatDatabaseUrl({ host, port, user, password, database }: ConnectionOptions): string {
  const credentials = encodeURIComponent(user) + (password ? `:${encodeURIComponent(password)}` : '')
  const isSocket = host.startsWith('/')
  const name = encodeURIComponent(database)
  return `postgres://${credentials}@${isSocket ? 'localhost' : host}:${port}/${name}${isSocket ? `?host=${encodeURIComponent(host)}` : ''}`
}

/** The parts of a PostgreSQL URL; absent ones are PostgreSQL's defaults. Options such as `sslmode` are left out. */
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

/** Does the URL lead to a unix socket? The driver does not know that form. */
export const isSocketUrl = (text: string): boolean => parseDatabaseUrl(text).host.startsWith('/')
