import { setTimeout as delay } from 'node:timers/promises'
import { type Connection, ConnectionError } from './connection.ts'
import { type ConnectionPool, createPacer } from './connection-pool.ts'
import { Identifier } from './sql.ts'

export type ChannelSubscription = { unlisten(): Promise<void> }

/** No statements run over this connection, so nothing would show that it is frozen: it is probed. */
const HEARTBEAT_MS = 5_000

/** Listens on a channel until `unlisten` is called. Throws when that cannot begin; later it begins again by itself. */
export async function listenOn(
  connections: Pick<ConnectionPool, 'openPaced'>,
  channel: string,
  onNotify: (payload: string) => void,
  onListen: () => void = () => {},
): Promise<ChannelSubscription> {
  // a standby accepts the connection and refuses to listen: the pool's pacer sees only that connecting works
  const pacer = createPacer()
  let isStopped = false
  let current: Connection | undefined

  const begin = async (): Promise<Connection> => {
    await pacer.turn()
    const connection = await connections.openPaced()
    current = connection
    try {
      connection.onNotification((from, payload) => from === channel && onNotify(payload))
      await connection.run({ text: `listen ${new Identifier(channel).text}` })
      pacer.succeeded()
    } catch (error) {
      connection.close()
      pacer.failed()
      throw error
    }
    if (isStopped) connection.close()
    else onListen()
    return connection
  }

  const keepListening = async (first: Connection) => {
    let connection: Connection | undefined = first
    while (!isStopped) {
      if (connection) await watch(connection)
      if (!isStopped) connection = await begin().catch(() => undefined)
    }
  }

  void keepListening(await begin())
  return {
    async unlisten() {
      isStopped = true
      current?.close()
      await current?.closed
    },
  }
}

/** Resolves when the connection can no longer be used, also when it has fallen silent. */
async function watch(connection: Connection): Promise<void> {
  for (;;) {
    const beat = new AbortController()
    await Promise.race([
      connection.closed,
      delay(HEARTBEAT_MS, undefined, { ref: false, signal: beat.signal }).catch(() => {}),
    ])
    beat.abort()
    if (connection.broken) return
    const deadline = setTimeout(
      () => connection.destroy(new ConnectionError('NO_ANSWER', 'no answer in time')),
      HEARTBEAT_MS,
    )
    await connection.run({ text: 'select 1' }).catch(() => {})
    clearTimeout(deadline)
  }
}
