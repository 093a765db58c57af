/**
 * Measures, with 1,000 live streams open, the time from the response to a send to the event on the owner's stream, against
 * a bare server that only responds and writes to as many streams, in one run; and the processor time of a send with no,
 * 100 and 1,000 streams open.
 *
 * npm run bench -- live [--seconds 10 --streams 1000]
 */
import { connect } from 'node:net'
import { parseArgs } from 'node:util'
import { newId } from '../server/src/db/ids.ts'
import { startBareServer } from './bare-server.ts'
import { quantile } from './figures.ts'
import { createClient, startDatabase, startMember } from './installation.ts'
import { encodeRequest, runLoad } from './load-generator.ts'

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '10' }, streams: { type: 'string', default: '1000' } },
})
const SECONDS = Number(values.seconds)
const STREAMS = Number(values.streams)
const SENDERS = 16
const SENDS_PER_SECOND = 50
const SIGN_UP_CONCURRENCY = 8
const MAX_P99_MS = 50
const MAX_COST_RATIO = 1.2

await using database = await startDatabase()
await using web = await startMember('web', database.env)
await using bareServer = await startBareServer('streams')
const { call, registerPlate, signUp } = createClient(web)

/** Creates `count` items, a few at a time. */
async function createMany<T>(count: number, create: (n: number) => Promise<T>): Promise<T[]> {
  const created: T[] = []
  let next = 0
  const worker = async () => {
    for (let n = next++; n < count; n = next++) created[n] = await create(n)
  }
  await Promise.all(Array.from({ length: SIGN_UP_CONCURRENCY }, worker))
  return created
}

type Owner = { plate: string; token: string }

async function createOwner(n: number): Promise<Owner> {
  const { token } = await signUp(`owner${n}`)
  const plate = `L${String(n).padStart(5, '0')}`
  await registerPlate(token, plate)
  return { plate, token }
}

/** Returns the milliseconds from each response to its event; negative where the event came first. */
async function measureDelays(send: (n: number) => Promise<string>, arrivals: Map<string, number>): Promise<number[]> {
  const responses = new Map<string, number>()
  const started = performance.now()
  const sends: Promise<void>[] = []
  for (let n = 0; n < SECONDS * SENDS_PER_SECOND; n++) {
    const wait = started + (n * 1000) / SENDS_PER_SECOND - performance.now()
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
    sends.push(send(n).then((id) => void responses.set(id, performance.now())))
  }
  await Promise.all(sends)
  const until = performance.now() + 10_000
  while ([...responses.keys()].some((id) => !arrivals.has(id))) {
    if (performance.now() > until) throw new Error('events are missing ten seconds after their responses')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return [...responses].map(([id, time]) => arrivals.get(id)! - time)
}

type Stream = { close(): void }

/**
 * Opens a stream of server-sent events over a plain socket, and records when each message's event arrived.
 *
 * @param arrivals filled with `performance.now()` by the id in the event's data
 */
function openStream(port: number, path: string, token: string, arrivals: Map<string, number>): Promise<Stream> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port })
    let open = false
    let rest = ''
    socket.setNoDelay(true)
    socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost:${port}\r\nauthorization: Bearer ${token}\r\n\r\n`)
    socket.on('error', reject)
    socket.on('data', (chunk) => {
      const now = performance.now()
      rest += chunk.toString('latin1')
      if (!open) {
        if (!rest.startsWith('HTTP/1.1 200')) return reject(new Error(`a stream responded ${rest.slice(0, 200)}`))
        open = true
        resolve({ close: () => socket.destroy() })
      }
      const whole = rest.lastIndexOf('\n\n')
      for (const [, id] of rest.slice(0, Math.max(0, whole)).matchAll(/"message_id":\s*"([0-9a-f-]{36})"/g)) {
        arrivals.set(id!, now)
      }
      if (whole >= 0) rest = rest.slice(whole)
    })
  })
}

const owners = await createMany(STREAMS, createOwner)
const senders = await createMany(SENDERS, async (n) => (await signUp(`sender${n}`)).token)
const ownerWithoutStream = await createOwner(STREAMS)
const content = 'Your lights are on.'

/** Returns the server's processor time for one send to an owner without a stream, in milliseconds. */
async function measureSendCost(): Promise<number> {
  const body = { plate: ownerWithoutStream.plate, content }
  const request = () => encodeRequest('POST', '/api/messages', senders[0]!, body)
  const before = web.cpuSeconds()
  const pace = { seconds: SECONDS, perSecond: 4 * SENDS_PER_SECOND }
  const { requests } = await runLoad({ port: web.port, connections: SENDERS, ...pace, request })
  return ((web.cpuSeconds() - before) * 1000) / requests
}

const arrivals = new Map<string, number>()
const streams: Stream[] = []
await measureSendCost() // warm up
const costs: { streams: number; ms: number }[] = []
for (const count of [0, Math.round(STREAMS / 10), STREAMS]) {
  while (streams.length < count) {
    const more = owners.slice(streams.length, Math.min(count, streams.length + 50))
    streams.push(...(await Promise.all(more.map(({ token }) => openStream(web.port, '/api/live', token, arrivals)))))
  }
  const ms = quantile([await measureSendCost(), await measureSendCost(), await measureSendCost()])
  costs.push({ streams: count, ms })
}

const delays = await measureDelays(async (n) => {
  const { plate } = owners[(n * 7919) % owners.length]!
  return ((await call('POST', '/api/messages', senders[n % SENDERS]!, { plate, content })) as { id: string }).id
}, arrivals)
for (const stream of streams) stream.close()

const bareArrivals = new Map<string, number>()
const bareStreams = await createMany(STREAMS, (n) => openStream(bareServer.port, `/${n}`, '', bareArrivals))
const bare = await measureDelays(async (n) => {
  const id = newId()
  const path = `/${(n * 7919) % STREAMS}?${id}`
  const response = await fetch(`http://127.0.0.1:${bareServer.port}${path}`, { method: 'POST' })
  await response.text()
  return id
}, bareArrivals)
for (const stream of bareStreams) stream.close()

const ratio = costs.at(-1)!.ms / costs[0]!.ms
const p99 = quantile(delays, 0.99)
process.stdout.write(
  `${STREAMS} streams, ${SENDS_PER_SECOND} sends/s for ${SECONDS} s, embedded PostgreSQL\n` +
    `  response to event     p50 ${quantile(delays).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms   aim: p99 under ${MAX_P99_MS} ms\n` +
    `  bare server           p50 ${quantile(bare).toFixed(1)} ms, p99 ${quantile(bare, 0.99).toFixed(1)} ms\n` +
    costs
      .map(({ streams: open, ms }) => `  processor of a send   ${ms.toFixed(3)} ms with ${open} streams\n`)
      .join('') +
    `  ratio                 ${ratio.toFixed(2)} of ${STREAMS} to none   aim: at most ${MAX_COST_RATIO}\n`,
)
if (!(p99 < MAX_P99_MS && ratio <= MAX_COST_RATIO)) process.exitCode = 1
