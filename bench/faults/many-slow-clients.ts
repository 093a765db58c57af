import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { runSlowClient, SLOW_HEADERS, slowBodies } from '../../server/src/test/slow-clients.ts'
import { aim, formatSpread, note, quantile, type Scenario } from '../figures.ts'
import { createClient, startDatabase, startMember } from '../installation.ts'
import { encodeRequest, inTurn } from '../load-generator.ts'
import { runOpenLoop } from '../open-loop.ts'

/** The number that has to be connected at every moment. */
const OPEN_AT_LEAST = 2_000
/** More than that, because the server ends those whose headers never end, and they reconnect only after a while. */
const SLOW_CLIENTS = 3_200
const PER_SECOND = 100
const SECONDS_PER_ROUND = 20
const MAX_CONNECTIONS = 500
const USEFUL_MS = 1_000
/** Longer than the server waits for a body. */
const CONNECT_OVER_S = 35
/** A person’s device tries again after a while; one that came back at once would be a flood of connections. */
const AWAY_S = 5
const MIN_SERVED = 0.999

export const slowClients: Scenario = {
  title: `${OPEN_AT_LEAST.toLocaleString('en-CA')} slow clients`,
  description: `${SLOW_CLIENTS.toLocaleString('en-CA')} clients, of whom at least ${OPEN_AT_LEAST.toLocaleString('en-CA')} are connected at every moment, connect over ${CONNECT_OVER_S} s, dribble headers and bodies, a byte every half second, some of them signed in, and when the server ends one it comes back after ${AWAY_S / 2} to ${AWAY_S * 1.5} s. Beside them ${PER_SECOND} reads a second come at an even pace, for ${SECONDS_PER_ROUND} s a round. The cap of connections for each address is out of the way, because all come from one.`,
  rounds: 2,
  async run(rounds, progress) {
    await using database = await startDatabase()
    await using web = await startMember('web', database.env)
    const { signUp, registerPlate } = createClient(web)
    const [reader, slow] = [await signUp('reader'), await signUp('slow')]
    await registerPlate(reader.token, 'BENCH1')
    const paths = ['/api/dashboard', '/api/messages?view=received', '/api/notifications']
    const request = inTurn(paths.map((path) => encodeRequest('GET', path, reader.token)))
    const measure = (seconds: number) =>
      runOpenLoop({ port: web.port, perSecond: PER_SECOND, seconds, maxConnections: MAX_CONNECTIONS, request })
    const alone = await measure(SECONDS_PER_ROUND)
    const endSlowClients = await startSlowClients(web.port, slow.token)
    progress('the slow clients are connected')
    const beside = await measure(rounds * SECONDS_PER_ROUND)
    const { opened, samples } = await endSlowClients()
    const fewest = Math.min(...samples)
    const served = beside.servedMs.filter((ms) => ms <= USEFUL_MS).length / beside.offered
    return [
      note('connections the slow clients opened', opened),
      note('open at a time, median', quantile(samples)),
      aim('open at a time, fewest', fewest, `at least ${OPEN_AT_LEAST}`, fewest >= OPEN_AT_LEAST),
      note('reads beside them', beside.offered),
      aim('served within 1 s', `${(served * 100).toFixed(2)} %`, 'at least 99.9 %', served >= MIN_SERVED),
      note('refused with 503 or 429', beside.refused.length),
      note('neither', [...beside.failed].map(([what, n]) => `${n} × ${what}`).join(', ') || 'none'),
      note('they took (p50 / p99)', formatSpread(beside.servedMs)),
      note('alone they take (p50 / p99)', formatSpread(alone.servedMs)),
    ]
  },
}

/**
 * Connects slow clients, in a process of their own so that they cannot slow the measuring down, and returns a function that ends them
 * and returns how many connections they have opened, and how many were open in each second since all had connected.
 */
async function startSlowClients(port: number, token: string) {
  const child = spawn(process.execPath, [import.meta.filename, String(port), token], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const isConnected = await Promise.race([once(child.stdout, 'data').then(() => true), ended.then(() => false)])
  if (!isConnected) throw new Error('the slow clients could not connect')
  let report = ''
  child.stdout.on('data', (text) => {
    report += text
  })
  return async () => {
    child.stdin.end()
    await ended
    return JSON.parse(report) as { opened: number; samples: number[] }
  }
}

/** Keeps slow clients connected to a port until standard input closes. */
async function runSlowClients(port: number, token: string) {
  const kinds = [...SLOW_HEADERS, ...slowBodies(token)]
  const samples: number[] = []
  let [opened, open] = [0, 0]
  process.stdin
    .once('end', () => process.stdout.write(`${JSON.stringify({ opened, samples })}\n`, () => process.exit(0)))
    .resume()
  const connected = Array.from({ length: SLOW_CLIENTS }, async (_, i) => {
    const connectClient = async () => {
      const client = await runSlowClient(port, kinds[i % kinds.length]!)
      opened++
      open++
      void client.ended.then(() => open--)
      return client
    }
    // evenly, or those that the server ends after the same time would leave together
    await delay((CONNECT_OVER_S * 1000 * i) / SLOW_CLIENTS)
    let client = await connectClient()
    const stayConnected = async () => {
      for (;;) {
        await client.ended
        await delay(AWAY_S * 1000 * (0.5 + Math.random()))
        client = await connectClient()
      }
    }
    stayConnected().catch(() => process.exit(1))
  })
  await Promise.all(connected)
  process.stdout.write('connected\n')
  setInterval(() => samples.push(open), 1_000)
}

if (import.meta.main) await runSlowClients(Number(process.argv[2]), process.argv[3]!)
