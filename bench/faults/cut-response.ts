import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { newId } from '../../server/src/db/ids.ts'
import { signUpOverHttp } from '../../server/src/test/post-json.ts'
import { aim, none, note, type Scenario } from '../figures.ts'
import { openDatabase, seedOwners, startDatabase, startMember } from '../installation.ts'
import { findStoredId, isStoredOnce, postMessage } from './senders.ts'

const CLIENTS = 8
const OWNERS = 20_000

/** Starts a proxy that lets requests through and cuts the connection when the response comes, so that no client gets it. */
async function startCuttingProxy(port: number) {
  const sockets = new Set<Socket>()
  const statusLines: string[] = []
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1')
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    }
    client.pipe(upstream)
    upstream.on('data', (chunk: Buffer) => {
      statusLines.push(chunk.toString('latin1', 0, 12))
      client.destroy()
      upstream.destroy()
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The status lines of the responses that no client got. */
    statusLines,
    [Symbol.dispose]() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

export const cutResponse: Scenario = {
  title: 'The connection is cut after the commit, before the response',
  description:
    'A proxy lets each send through and cuts the connection when the response comes. The client repeats the send under its key and must get the id of the message that is stored already; there must be one message, one notification and one mail of it.',
  rounds: 100,
  async run(rounds) {
    await using database = await startDatabase()
    await using web = await startMember('web', database.env)
    using proxy = await startCuttingProxy(web.port)
    await using db = openDatabase(database.url)
    const nextPlate = await seedOwners(db, OWNERS)
    const token = await signUpOverHttp(web.url, 'sender@example.com')
    let [cut, sameId, otherId, notOnce, left] = [0, 0, 0, 0, rounds]
    const client = async () => {
      while (left-- > 0) {
        const key = newId()
        const body = JSON.stringify({ plate: nextPlate(), content: 'Your lights are on.' })
        const isReceived = await postMessage(proxy.url, token, key, body).then(
          () => true,
          () => false,
        )
        if (!isReceived) cut++
        const stored = await findStoredId(db, key)
        const { id } = (await (await postMessage(web.url, token, key, body)).json()) as { id: string }
        if (stored === id) sameId++
        else otherId++
        if (!(await isStoredOnce(db, key, id))) notOnce++
      }
    }
    await Promise.all(Array.from({ length: CLIENTS }, client))
    const created = proxy.statusLines.filter((line) => line === 'HTTP/1.1 201').length
    return [
      aim(
        'sends whose response 201 was cut off',
        Math.min(cut, created),
        `${rounds}`,
        cut === rounds && created >= rounds,
      ),
      aim('repeated, with the id of the stored message in the response', sameId, `${rounds}`, sameId === rounds),
      none('another id in the response, or not stored before the response', otherId),
      none('without exactly one message, notification and mail', notOnce),
      note('clients at a time', CLIENTS),
    ]
  },
}
