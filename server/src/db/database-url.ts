import type { ConnectionOptions } from '../postgres/embedded-server.ts'

/**
 * Formats a connection as a URL for `DATABASE_URL`. A unix socket is written as PostgreSQL's own programs do:
 * `postgres://user@localhost:5432/name?host=/folder/of/the/socket`.
 */
export function formatDatabaseUrl({ host, port, user, password, database }: ConnectionOptions): string {
  const credentials = encodeURIComponent(user) + (password ? `:${encodeURIComponent(password)}` : '')
  const isSocket = host.startsWith('/')
  const name = encodeURIComponent(database)
  return `postgres://${credentials}@${isSocket ? 'localhost' : host}:${port}/${name}${isSocket ? `?host=${encodeURIComponent(host)}` : ''}`
}

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

/** Returns whether the URL names a unix socket, a form the driver does not know. */
export const isSocketUrl = (text: string): boolean => parseDatabaseUrl(text).host.startsWith('/')
