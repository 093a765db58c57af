import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/**
 * What the proxy does: forwards, refuses connections as a machine without the service does, accepts and closes them as a load
 * balancer without a server behind it does, or accepts them and falls silent, those that are open too.
 */
export type ProxyMode = 'forward' | 'refuse' | 'close' | 'freeze'

type Pair = { client: Socket; database: Socket; isFrozen: boolean; isAbandoned?: true; isAnswerLost?: true }

const closePair = ({ client, database }: Pair) => {
  client.destroy()
  database.destroy()
}

const WINDOW_MS = 1_000

/** Returns the most moments that lie within one second. */
export function busiestSecond(moments: number[]): number {
  let most = 0
  let first = 0
  for (const [i, moment] of moments.entries()) {
    while (moment - moments[first]! >= WINDOW_MS) first++
    most = Math.max(most, i - first + 1)
  }
  return most
}

/** Starts a proxy in front of a database, or of any other server, that breaks as a test says. */
export async function startDatabaseProxy<Target extends { host: string; port: number }>(database: Target) {
  const pairs = new Set<Pair>()
  const abandoned = new Set<Pair>()
  /** When each connection was accepted. */
  const accepted: number[] = []
  let mode: ProxyMode = 'forward'
  let cutAfterBytes: number | undefined
  let closeAt: string | undefined
  let closeAtEvery: string | undefined
  let loseAnswerTo: string | undefined
  let server: Server | undefined
  let port = 0

  const accept = (client: Socket) => {
    accepted.push(performance.now())
    client.on('error', () => {})
    if (mode === 'close') return void client.destroy()
    const upstream = database.host.startsWith('/')
      ? connect(`${database.host}/.s.PGSQL.${database.port}`)
      : connect(database.port, database.host)
    const pair: Pair = { client, database: upstream, isFrozen: mode === 'freeze' }
    pairs.add(pair)
    upstream.on('error', () => {})
    const forward = (from: Socket, to: Socket) => {
      from.on('data', (chunk: Buffer) => {
        if (closeAt !== undefined && from === client && chunk.includes(closeAt)) {
          closeAt = undefined
          return closePair(pair)
        }
        if (closeAtEvery !== undefined && from === client && chunk.includes(closeAtEvery)) return closePair(pair)
        if (pair.isAnswerLost && from === upstream) return closePair(pair)
        if (loseAnswerTo !== undefined && from === client && chunk.includes(loseAnswerTo)) {
          loseAnswerTo = undefined
          pair.isAnswerLost = true
        }
        if (cutAfterBytes !== undefined) {
          to.write(chunk.subarray(0, cutAfterBytes))
          cutAfterBytes = undefined
          to.destroySoon()
          from.destroy()
          return
        }
        // what comes faster than it goes away waits in the sender
        if (!to.write(chunk)) {
          from.pause()
          to.once('drain', () => !pair.isFrozen && from.resume())
        }
      })
      from.on('close', () => {
        pairs.delete(pair)
        if (!pair.isAbandoned) to.destroySoon()
      })
      if (pair.isFrozen) from.pause()
    }
    forward(client, upstream)
    forward(upstream, client)
  }

  const listen = async () => {
    if (server) return
    server = createServer(accept)
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port
  }
  const stopListening = () => {
    server?.close()
    server = undefined
    closeAll()
  }
  /** Closes every connection. */
  const closeAll = () => {
    for (const pair of pairs) closePair(pair)
  }

  await listen()
  return {
    connection: { ...database, host: '127.0.0.1', port },
    accepted,
    /** Changes what happens from now on. Connections that were frozen go on where they stood. */
    async setMode(next: ProxyMode) {
      mode = next
      if (mode === 'refuse') stopListening()
      else await listen()
      if (mode === 'close') closeAll()
      for (const pair of pairs) {
        pair.isFrozen = mode === 'freeze'
        for (const socket of [pair.client, pair.database]) {
          if (pair.isFrozen) socket.pause()
          else socket.resume()
        }
      }
    },
    /**
     * Leaves the clients that are connected without a response for ever, as a server does whose machine froze and was
     * replaced.
     */
    abandonOpen() {
      for (const pair of pairs) {
        pair.isAbandoned = true
        abandoned.add(pair)
        pair.client.pause()
        pair.database.destroy()
      }
      pairs.clear()
    },
    closeAll,
    /** Closes the connection over which a client next says this, before the database receives it. */
    closeAtNext(text: string) {
      closeAt = text
    },
    /** Closes every connection over which a client says this, before the database receives it; undefined: none any more. */
    closeAtEvery(text: string | undefined) {
      closeAtEvery = text
    },
    /**
     * Closes the connection over which a client next says this, once the database has answered and before the client receives
     * it.
     */
    loseNextAnswerTo(text: string) {
      loseAnswerTo = text
    },
    /** Lets so many bytes of the next message through, in either direction, and cuts the connection there. */
    cutNextAfter(bytes: number) {
      cutAfterBytes = bytes
    },
    close() {
      for (const pair of abandoned) closePair(pair)
      stopListening()
    },
  }
}
