/**
 * The lists people look at, through HTTP, beside the statements they rest on through the driver on the same PostgreSQL,
 * in turns of one run: for somebody with 20 messages and somebody with 20,000.
 *
 * npm run bench:lists [-- --seconds 3 --rounds 3]
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { formatDatabaseUrl } from '../server/src/db/database-url.ts'
import { openPool, type Pool } from '../server/src/db/pool.ts'
import { listReceived } from '../server/src/messages/queries.ts'
import { countUnread, listNotifications } from '../server/src/notifications/queries.ts'
import { startEmbedded } from '../server/src/postgres/embedded-server.ts'
import { runLoad } from './load-generator.ts'
import { encodeRequest, median, startProduct } from './product-process.ts'

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '3' }, rounds: { type: 'string', default: '3' } },
})
const SECONDS = Number(values.seconds)
const ROUNDS = Number(values.rounds)
const CONNECTIONS = 8
const PORT = 39_421
const TARGET = { host: '127.0.0.1', port: PORT }
const PAGE_SIZE = 20
const SIZES = [20, 20_000]

async function post(path: string, token: string | null, body: unknown): Promise<unknown> {
  const answer = await fetch(`http://127.0.0.1:${PORT}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
  return answer.json()
}

type Person = { id: string; token: string }

async function signUp(name: string): Promise<Person> {
  const account = { email: `${name}@example.com`, password: 'Correct-horse-7', data: { full_name: 'Sam' } }
  const { access_token, user } = (await post('/auth/v1/signup', null, account)) as {
    access_token: string
    user: { id: string }
  }
  return { id: user.id, token: access_token }
}

/** Somebody with so many messages, sent as they are in earnest. */
async function createReader(messages: number, sender: Person): Promise<Person> {
  const one = await signUp(`reader${messages}`)
  const plate = `R${messages}`
  const vehicle = { plate, make: 'Honda', model: 'Civic', registration_year: 2020, province: 'Ontario' }
  await post('/register-plate', one.token, vehicle)
  let left = messages
  const send = async () => {
    while (left-- > 0) await post('/api/messages', sender.token, { plate, content: 'Your lights are on.' })
  }
  await Promise.all(Array.from({ length: 32 }, send))
  return one
}

/** Calls a second of what a list rests on, by as many at once as there are connections. */
async function measureBaseline(read: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  const until = started + SECONDS * 1000
  let count = 0
  const one = async () => {
    while (performance.now() < until) {
      await read()
      count++
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, one))
  return (count * 1000) / (performance.now() - started)
}

const listCases = (db: Pool, { id }: Person): [path: string, read: () => Promise<unknown>][] => [
  ['/api/messages?view=received', () => listReceived(db, id, null, PAGE_SIZE + 1)],
  ['/api/notifications', () => listNotifications(db, id, null, PAGE_SIZE + 1)],
  ['/api/notifications/unread-count', () => countUnread(db, id)],
]

const folder = mkdtempSync(join(tmpdir(), 'platenote-bench-lists-'))
chmodSync(folder, 0o755) // as root PostgreSQL runs under another account and must pass
const embedded = await startEmbedded(join(folder, 'postgres'))
const url = formatDatabaseUrl(embedded.connection)
const product = await startProduct({ url, dataDir: join(folder, 'data'), port: PORT, role: 'web' })
const db = openPool(url, CONNECTIONS)
try {
  const sender = await signUp('sender')
  process.stdout.write(`${CONNECTIONS} connections, ${ROUNDS} rounds of ${SECONDS} s, embedded PostgreSQL\n`)
  for (const size of SIZES) {
    const one = await createReader(size, sender)
    await db.unsafe('vacuum analyze messages, notifications')
    for (const [path, read] of listCases(db, one)) {
      const request = encodeRequest(PORT, 'GET', path, one.token)
      await runLoad(TARGET, CONNECTIONS, 1, () => request, 200) // warm
      const rates: number[] = []
      const ratios: number[] = []
      const p99: number[] = []
      for (let round = 0; round < ROUNDS; round++) {
        const base = await measureBaseline(read)
        const load = await runLoad(TARGET, CONNECTIONS, SECONDS, () => request, 200)
        if (load.unexpected.length > 0) throw new Error(`refused: ${load.unexpected.join(' | ')}`)
        rates.push(load.requests / load.seconds)
        ratios.push(load.requests / load.seconds / base)
        p99.push(load.p99Ms)
      }
      process.stdout.write(
        `  ${path.padEnd(33)} of ${String(size).padStart(6)}: ${median(rates).toFixed(0).padStart(5)}/s, p99 ` +
          `${median(p99).toFixed(1)} ms, ${median(ratios).toFixed(2)} of the statement alone\n`,
      )
    }
  }
} finally {
  await db.end()
  await product.stop()
  await embedded.stop()
  rmSync(folder, { recursive: true, force: true })
}
