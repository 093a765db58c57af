// Keeps slow clients connected to a port until standard input closes: a process of its own, so that it cannot slow the
// measuring down. Arguments: port, how many, and the token of somebody signed in.
import { runSlowClient, SLOW_HEADERS, slowBodies } from '../server/src/test/slow-clients.ts'

const [port = '', count = '', token = ''] = process.argv.slice(2)
const kinds = [...SLOW_HEADERS, ...slowBodies(token)]
process.stdin.once('end', () => process.exit(0)).resume()

const connected = Array.from({ length: Number(count) }, async (_, i) => {
  const kind = kinds[i % kinds.length]!
  let client = await runSlowClient(Number(port), kind)
  const stayConnected = async () => {
    for (;;) {
      await client.ended
      client = await runSlowClient(Number(port), kind)
    }
  }
  stayConnected().catch(() => process.exit(1))
})
await Promise.all(connected)
process.stdout.write('connected\n')
