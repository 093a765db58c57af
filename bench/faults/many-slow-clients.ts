import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { startEmbeddedForBench } from '../embedded-postgres.ts'
import { aim, note, quantile, type Scenario } from '../figures.ts'
import { createClient } from '../http-client.ts'
import { encodeRequest, startForBench } from '../product.ts'
import { runOpenLoop } from './open-loop.ts'

const PORT = 39_433
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
    const database = await startEmbeddedForBench()
    const product = await startForBench({ url: database.url, dataDir: database.dataDir, port: PORT, role: 'web' })
    try {
      const { signUp, registerPlate } = createClient(PORT)
      const [reader, slow] = [await signUp('reader'), await signUp('slow')]
      await registerPlate(reader.token, 'BENCH1')
      const requests = ['/api/dashboard', '/api/messages?view=received', '/api/notifications'].map((path) =>
        encodeRequest(PORT, 'GET', path, reader.token),
      )
      let next = 0
      const request = () => requests[next++ % requests.length]!
      const seconds = rounds * SECONDS_PER_ROUND
      const measure = (duration: number) =>
        runOpenLoop(
          PORT,
          { perSecond: PER_SECOND, seconds: duration, maxConnections: MAX_CONNECTIONS },
          request,
          (status) => status === 200,
        )
      const alone = await measure(SECONDS_PER_ROUND)
      const endSlowClients = await startSlowClients(PORT, SLOW_CLIENTS, slow.token, {
        connectOverS: CONNECT_OVER_S,
        awayS: AWAY_S,
      })
      progress('the slow clients are connected')
      const beside = await measure(seconds)
      const { opened, samples } = await endSlowClients()
      const fewest = Math.min(...samples)
      const served = beside.servedMs.filter((ms) => ms <= USEFUL_MS).length / beside.offered
      const times = (ms: number[]) => `${quantile(ms)} / ${quantile(ms, 0.99)} ms`
      return [
        note('connections the slow clients opened', opened),
        note('open at a time, median', quantile(samples)),
        aim('open at a time, fewest', fewest, `at least ${OPEN_AT_LEAST}`, fewest >= OPEN_AT_LEAST),
        note('reads beside them', beside.offered),
        aim('served within 1 s', `${(served * 100).toFixed(2)} %`, 'at least 99.9 %', served >= MIN_SERVED),
        note('refused with 503 or 429', beside.refusedMs.length),
        note('neither', [...beside.failed].map(([what, n]) => `${n} × ${what}`).join(', ') || 'none'),
        note('they took (p50 / p99)', times(beside.servedMs)),
        note('alone they take (p50 / p99)', times(alone.servedMs)),
      ]
    } finally {
      await product.stop()
      await database.stop()
    }
  },
}

/**
 * Connects slow clients, in a process of their own, and returns a function that ends them and returns how many connections they
 * have opened, and how many were open in each second since all had connected.
 *
 * @param connectOverS the time over which they connect at first
 * @param awayS how long a client waits to reconnect, on average
 */
async function startSlowClients(
  port: number,
  count: number,
  token: string,
  { connectOverS = 0, awayS = 0 } = {},
): Promise<() => Promise<{ opened: number; samples: number[] }>> {
  const file = join(import.meta.dirname, 'slow-client-process.ts')
  const child = spawn(
    process.execPath,
    [file, String(port), String(count), token, String(connectOverS), String(awayS)],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  )
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
