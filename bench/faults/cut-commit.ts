import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { parseDatabaseUrl } from '../../server/src/db/database-url.ts'
import { newId } from '../../server/src/db/ids.ts'
import { formatDatabaseUrl } from '../../server/src/test/database-url.ts'
import { signUpOverHttp } from '../../server/src/test/post-json.ts'
import { aim, none, note, type Scenario } from '../figures.ts'
import { openDatabase, seedOwners, startDatabase, startMember } from '../installation.ts'
import { findStoredId, isStoredOnce, postMessage } from './senders.ts'

const CLIENTS = 8
const OWNERS = 20_000
const RETRY_MS = 20
const ACKNOWLEDGED_WITHIN_MS = 30_000
/** A message of PostgreSQL's protocol: one byte for its kind, then its length, which counts itself. */
const HEAD_BYTES = 5
const COMMAND_COMPLETE = 'C'.charCodeAt(0)
/** The last bytes of a chunk, which may be the beginning of a key whose rest is in the next one. */
const KEY_BYTES = 36

/** Returns where the first message of a kind begins in whole messages, or -1, and how many bytes the whole messages take. */
function findMessage(bytes: Buffer, kind: number): { at: number; wholeBytes: number } {
  let next = 0
  while (next + HEAD_BYTES <= bytes.length) {
    const end = next + 1 + bytes.readUInt32BE(next + 1)
    if (end > bytes.length) break
    if (bytes[next] === kind) return { at: next, wholeBytes: end }
    next = end
  }
  return { at: -1, wholeBytes: next }
}

/**
 * Starts a proxy in front of a database. Once a process has sent a statement with one of the keys, it withholds the response of
 * the database and cuts the connection on both sides.
 */
async function startCommitCuttingProxy(url: string) {
  const target = parseDatabaseUrl(url)
  const keys = new Set<string>()
  const sockets = new Set<Socket>()
  const cut = new Set<string>()
  const server = createServer((client) => {
    const upstream = target.host.startsWith('/')
      ? connect(`${target.host}/.s.PGSQL.${target.port}`)
      : connect(target.port, target.host)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket
        .on('error', () => {})
        .on('close', () => {
          sockets.delete(socket)
          client.destroy()
          upstream.destroy()
        })
    }
    /** The keys of the statement whose end is awaited. */
    let awaited: string[] = []
    let sent = Buffer.alloc(0)
    let unread = Buffer.alloc(0)
    client.on('data', (chunk: Buffer) => {
      sent = Buffer.concat([sent, chunk])
      awaited.push(...[...keys].filter((key) => sent.includes(key) && !awaited.includes(key)))
      sent = sent.subarray(-KEY_BYTES)
      upstream.write(chunk)
    })
    upstream.on('data', (chunk: Buffer) => {
      unread = Buffer.concat([unread, chunk])
      for (;;) {
        const { at, wholeBytes } = findMessage(unread, COMMAND_COMPLETE)
        if (at >= 0 && awaited.length > 0) {
          for (const key of awaited) {
            keys.delete(key)
            cut.add(key)
          }
          awaited = []
          client.end(unread.subarray(0, at))
          upstream.destroy()
          return
        }
        if (wholeBytes === 0) return
        client.write(unread.subarray(0, wholeBytes))
        unread = unread.subarray(wholeBytes)
      }
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: formatDatabaseUrl({ ...target, host: '127.0.0.1', port }),
    /** The keys whose next statement is to be cut off. */
    keys,
    /** Those whose statement was. */
    cut,
    [Symbol.dispose]() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

export const cutCommit: Scenario = {
  title: 'The connection to the database is cut after the commit, before the server knows',
  description:
    'A proxy between the web process and PostgreSQL withholds the message of PostgreSQL that the statement of a send is done (CommandComplete), and cuts the connection on both sides. The server cannot know whether the message is stored. The client repeats the send under its key: it must get the id of the message that is stored, and there must be one message, one notification and one mail.',
  rounds: 100,
  async run(rounds) {
    await using database = await startDatabase()
    using proxy = await startCommitCuttingProxy(database.url)
    await using web = await startMember('web', { ...database.env, DATABASE_URL: proxy.url })
    await using db = openDatabase(database.url)
    const nextPlate = await seedOwners(db, OWNERS)
    const token = await signUpOverHttp(web.url, 'sender@example.com')
    let [left, firstRefused, otherResponses, storedWhenCut, otherId, notOnce, never] = [rounds, 0, 0, 0, 0, 0, 0]
    const sendOnce = async () => {
      const key = newId()
      const body = JSON.stringify({ plate: nextPlate(), content: 'Your lights are on.' })
      proxy.keys.add(key)
      let stored: string | undefined
      const until = performance.now() + ACKNOWLEDGED_WITHIN_MS
      for (let n = 0; performance.now() < until; n++) {
        const response = await postMessage(web.url, token, key, body)
        const { id } = (await response.json()) as { id?: string }
        if (n === 0) {
          stored = await findStoredId(db, key)
          if (stored !== undefined) storedWhenCut++
          if (response.status === 503) firstRefused++
        }
        if (response.status !== 201 && response.status !== 503) otherResponses++
        if (response.status !== 201) {
          await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
          continue
        }
        if (stored !== undefined && stored !== id) otherId++
        if (!(await isStoredOnce(db, key, id!))) notOnce++
        return
      }
      never++
    }
    const client = async () => {
      while (left-- > 0) await sendOnce()
    }
    await Promise.all(Array.from({ length: CLIENTS }, client))
    const [all] = await db<{ n: number }[]>`select count(*)::int as n from messages`
    return [
      aim('sends whose statement was cut off', proxy.cut.size, `${rounds}`, proxy.cut.size === rounds),
      note('refused with 503, and repeated by the client', firstRefused),
      note('repeated by the server itself, which had others beside them', rounds - firstRefused),
      none('not acknowledged within 30 s', never),
      none('other responses than 201 or 503', otherResponses),
      note('stored when the server responded', storedWhenCut),
      none('in the end acknowledged with another id than the stored one', otherId),
      none('without exactly one message, notification and mail', notOnce),
      aim('messages in all', all!.n, `${rounds}`, all!.n === rounds),
      note('clients at a time', CLIENTS),
    ]
  },
}
