// Keeps slow clients connected to a port until standard input closes: a process of its own, so that it cannot slow the
// measuring down. Arguments: port, how many, the token of somebody signed in, over how many seconds they connect at first, and
// how many seconds a client waits to reconnect after the server ended it, on average. At the end it prints how many connections
// were opened, and how many were open every second.
import { setTimeout as delay } from 'node:timers/promises'
import { runSlowClient, SLOW_HEADERS, slowBodies } from '../../server/src/test/slow-clients.ts'

const [port = '', count = '', token = '', connectOverS = '0', awayS = '0'] = process.argv.slice(2)
const kinds = [...SLOW_HEADERS, ...slowBodies(token)]
let opened = 0
let open = 0
const samples: number[] = []
process.stdin
  .once('end', () => process.stdout.write(`${JSON.stringify({ opened, samples })}\n`, () => process.exit(0)))
  .resume()
/** Waits between half and one and a half times the average, so that clients that were ended together do not return together. */
const waitToReconnect = () => delay(Number(awayS) * 1000 * (0.5 + Math.random()))

const connected = Array.from({ length: Number(count) }, async (_, i) => {
  const kind = kinds[i % kinds.length]!
  const connectClient = async () => {
    const client = await runSlowClient(Number(port), kind)
    opened++
    open++
    void client.ended.then(() => open--)
    return client
  }
  // evenly, or those that the server ends after the same time would leave together
  await delay((Number(connectOverS) * 1000 * i) / Number(count))
  let client = await connectClient()
  const stayConnected = async () => {
    for (;;) {
      await client.ended
      await waitToReconnect()
      client = await connectClient()
    }
  }
  stayConnected().catch(() => process.exit(1))
})
await Promise.all(connected)
process.stdout.write('connected\n')
setInterval(() => samples.push(open), 1_000)
