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
