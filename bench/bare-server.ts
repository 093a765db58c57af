import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { type Db, openPool } from '../server/src/db/pool.ts'
import { listReceived } from '../server/src/messages/queries.ts'
import { countUnread, listNotifications } from '../server/src/notifications/queries.ts'

/*
 * Does the least a server can do, in a process of its own, to show what HTTP itself costs. It authenticates nobody, and sends no text
 * that would have to be decrypted.
 */

const PAGE_SIZE = 20

/** Returns the lists that are measured, of one user, each with its path and the statement behind it. */
export const listCases = (db: Db, userId: string): [path: string, read: () => Promise<unknown>][] => [
  ['/api/messages?view=received', () => listReceived(db, userId, null, PAGE_SIZE + 1)],
  ['/api/notifications', () => listNotifications(db, userId, null, PAGE_SIZE + 1)],
  ['/api/notifications/unread-count', () => countUnread(db, userId)],
]

/** Runs the statement of a list and responds with its rows as JSON; the path is that of the list, after the id of the user. */
function lists(url = '', connections = ''): RequestListener {
  const db = openPool(url, Number(connections))
  const cases = new Map<string, () => Promise<unknown>>()
  const withoutBytes = (_: string, value: unknown) =>
    (value as { type?: string } | null)?.type === 'Buffer' ? null : value
  const respond = async (address: string, response: ServerResponse) => {
    const userId = address.slice(1, address.indexOf('/', 1))
    if (!cases.has(address)) for (const [path, read] of listCases(db, userId)) cases.set(`/${userId}${path}`, read)
    const body = JSON.stringify(await cases.get(address)!(), withoutBytes)
    const length = Buffer.byteLength(body)
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': length }).end(body)
  }
  return ({ url: address = '' }, response) => void respond(address, response)
}

/** Responds to a send, then writes to the stream of the same path. */
function streams(): RequestListener {
  const open = new Map<string, ServerResponse>()
  return (request, response) => {
    const [path = '', id] = (request.url ?? '').split('?')
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': open\n\n')
      open.set(path, response)
      return
    }
    response.end('ok')
    open.get(path)?.write(`event: notification\ndata: {"message_id":"${id}"}\n\n`)
  }
}

const SERVERS = { lists, streams }

/** Starts one of the bare servers and waits until it listens. */
export async function startBareServer(name: keyof typeof SERVERS, ...args: (string | number)[]) {
  const child = spawn(process.execPath, [import.meta.filename, name, ...args.map(String)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [port] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  return {
    port: Number(port),
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

if (import.meta.main) {
  const [name, ...args] = process.argv.slice(2) as [keyof typeof SERVERS, ...string[]]
  const server = createServer(SERVERS[name](...args)).listen(0, '127.0.0.1', () => {
    process.stdout.write(`${(server.address() as AddressInfo).port}\n`)
  })
  process.once('SIGTERM', () => process.exit(0))
}
