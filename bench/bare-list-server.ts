/**
 * Does the least a server can do for a list: runs its statement and responds with the rows as JSON. It does not authenticate,
 * and sends no text that would have to be decrypted. Used by lists.ts; its arguments are the URL of the database, the port, and
 * how many connections to the database there are.
 */
import { createServer, type ServerResponse } from 'node:http'
import { openPool } from '../server/src/db/pool.ts'
import { type ListCase, listCases } from './list-cases.ts'

const [url = '', port = '', connections = ''] = process.argv.slice(2)
const db = openPool(url, Number(connections))

/** The path of a request is that of the list, after the id of the user. */
const cases = new Map<string, ListCase>()
function findCase(address: string): ListCase | undefined {
  const userId = address.slice(1, address.indexOf('/', 1))
  if (!cases.has(address)) for (const one of listCases(db, userId)) cases.set(`/${userId}${one.path}`, one)
  return cases.get(address)
}

/** Writes rows as JSON without their bytes. */
function toJson(rows: unknown): string {
  if (Array.isArray(rows))
    for (const row of rows as Record<string, unknown>[])
      for (const column in row) if (row[column] instanceof Uint8Array) row[column] = null
  return JSON.stringify(rows)
}

async function respond(response: ServerResponse, found: ListCase | undefined) {
  const body = found && toJson(await found.read())
  response.writeHead(body === undefined ? 404 : 200, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body ?? ''),
  })
  response.end(body)
}

createServer((request, response) => {
  void respond(response, findCase(request.url ?? ''))
}).listen(Number(port), '127.0.0.1', () => process.stdout.write('ready\n'))

process.once('SIGTERM', () => process.exit(0))
