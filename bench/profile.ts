/**
 * Shows where the processor time of a request goes: profiles the server process under the load of the benchmarks, and adds
 * the samples up by who owns the time.
 *
 * npm run bench -- profile [--seconds 5]
 */
import { parseArgs } from 'node:util'
import { openPool } from '../server/src/db/pool.ts'
import { addUp, connectProfiler } from './cpu-profiler.ts'
import { startEmbeddedForBench } from './embedded-postgres.ts'
import { createClient } from './http-client.ts'
import { type LoadResult, runLoad } from './load-generator.ts'
import { cpuSeconds, encodeRequest, startForBench } from './product.ts'
import { createSendRequests, seedPlates, signUpSenders } from './send-data.ts'

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '5' } } })
const SECONDS = Number(values.seconds)
const PORT = 39_425
const INSPECT_PORT = 39_426
const TARGET = { host: '127.0.0.1', port: PORT }
const MESSAGES = 20
const ADMIN_LIST = '/api/admin/vehicles'
/** All four filters of the list; the plates of the sample data match them often. */
const FOUR_FILTERS = new URLSearchParams({ plate: '7', email: 'owner', province: 'Ontario', status: 'active' })

type Case = { name: string; connections: number; request: () => Buffer; status: number }
type Row = { name: string; perSecond: number; cpuMs: number; shares: Map<string, number> }

const postgres = await startEmbeddedForBench()
const product = await startForBench({ ...postgres, port: PORT, role: 'web', inspectPort: INSPECT_PORT })
const db = openPool(postgres.url, 4)
const profiler = await connectProfiler(INSPECT_PORT)

/** Returns the cases: a send, the lists of somebody with a page of messages, and the vehicles of an admin with all four filters. */
async function createCases(): Promise<Case[]> {
  await seedPlates(postgres.url)
  const senders = await signUpSenders(PORT, db)
  const { post, signUp, registerPlate } = createClient(PORT)
  const reader = await signUp('reader')
  await registerPlate(reader.token, 'READER')
  for (let i = 0; i < MESSAGES; i++)
    await post('/api/messages', senders[i % senders.length]!, { plate: 'READER', content: 'Your lights are on.' })
  const admin = await signUp('admin')
  await db`update auth.users set is_admin = true where id = ${admin.id}`
  const read = (name: string, path = name, token = reader.token): Case => {
    const request = encodeRequest(PORT, 'GET', path, token)
    return { name, connections: 8, request: () => request, status: 200 }
  }
  return [
    { name: 'a send', connections: 32, request: createSendRequests(PORT, senders), status: 201 },
    read('/api/messages?view=received'),
    read('/api/notifications'),
    read('/api/notifications/unread-count'),
    read(ADMIN_LIST, `${ADMIN_LIST}?${FOUR_FILTERS.toString()}`, admin.token),
  ]
}

async function measure({ name, connections, request, status }: Case): Promise<Row> {
  const run = async () => {
    const load = await runLoad(TARGET, connections, SECONDS, request, status)
    if (load.unexpected.length > 0) throw new Error(`refused: ${load.unexpected.join(' | ')}`)
    return load
  }
  await run() // the engine compiles what is used often
  const before = cpuSeconds(product.pid)
  const { requests, seconds } = await run()
  const cpuMs = ((cpuSeconds(product.pid) - before) * 1000) / requests
  // profiled in a run of its own: the samples cost time themselves
  let profiled: LoadResult | undefined
  const profile = await profiler.profile(async () => {
    profiled = await run()
  })
  if (!profiled) throw new Error('nothing was profiled')
  return {
    name,
    perSecond: requests / seconds,
    cpuMs,
    shares: new Map(addUp(profile).map(({ owner, share }) => [owner, share])),
  }
}

/** Returns the rows as a Markdown table: a line for each owner of time, a column for each request. */
function toTable(rows: Row[]): string {
  const owners = [...new Set(rows.flatMap(({ shares }) => [...shares.keys()]))]
  const total = (owner: string) => rows.reduce((sum, { shares }) => sum + (shares.get(owner) ?? 0), 0)
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  return [
    line(['', ...rows.map(({ name }) => name)]),
    line(['---', ...rows.map(() => '--:')]),
    line(['requests a second', ...rows.map(({ perSecond }) => perSecond.toFixed(0))]),
    line(['processor for each, ms', ...rows.map(({ cpuMs }) => cpuMs.toFixed(3))]),
    ...owners
      .toSorted((a, b) => total(b) - total(a))
      .map((owner) => line([owner, ...rows.map(({ shares }) => `${((shares.get(owner) ?? 0) * 100).toFixed(1)} %`)])),
  ].join('\n')
}

try {
  const rows: Row[] = []
  for (const one of await createCases()) rows.push(await measure(one))
  process.stdout.write(`${toTable(rows)}\n`)
} finally {
  profiler.close()
  await db.end()
  await product.stop()
  await postgres.stop()
}
