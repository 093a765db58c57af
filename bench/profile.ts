/**
 * Shows where the processor time of a request goes: profiles the server process under the load of the benchmarks, and adds
 * the samples up by who owns the time.
 *
 * npm run bench -- profile [--seconds 5]
 */
import { parseArgs } from 'node:util'
import { addUp, connectProfiler } from './cpu-profiler.ts'
import { createClient, openDatabase, startDatabase, startMember } from './installation.ts'
import { encodeRequest, runLoad } from './load-generator.ts'
import { createSendRequests, seedSends } from './send-data.ts'

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '5' } } })
const SECONDS = Number(values.seconds)
const INSPECT_PORT = 39_426
const MESSAGES = 20
const ADMIN_LIST = '/api/admin/vehicles'
/** All four filters of the list; the plates of the sample data match them often. */
const FOUR_FILTERS = new URLSearchParams({ plate: '7', email: 'owner', province: 'Ontario', status: 'active' })

type Case = { name: string; connections: number; request: () => Buffer }
type Row = { name: string; perSecond: number; cpuMs: number; shares: Map<string, number> }

await using database = await startDatabase()
const inspect = { NODE_OPTIONS: `--inspect=127.0.0.1:${INSPECT_PORT}` }
await using web = await startMember('web', { ...database.env, ...inspect })
await using db = openDatabase(database.url)
using profiler = await connectProfiler(INSPECT_PORT)

/** Returns the cases: a send, the lists of somebody with a page of messages, and the vehicles of an admin with all four filters. */
async function createCases(): Promise<Case[]> {
  const senders = await seedSends(db, web)
  const { call, signUp, registerPlate } = createClient(web)
  const reader = await signUp('reader')
  await registerPlate(reader.token, 'READER')
  for (let i = 0; i < MESSAGES; i++)
    await call('POST', '/api/messages', senders[i % senders.length]!, {
      plate: 'READER',
      content: 'Your lights are on.',
    })
  const admin = await signUp('admin')
  await db`update auth.users set is_admin = true where id = ${admin.id}`
  const read = (name: string, path = name, token = reader.token): Case => {
    const request = encodeRequest('GET', path, token)
    return { name, connections: 8, request: () => request }
  }
  return [
    { name: 'a send', connections: 32, request: createSendRequests(senders) },
    read('/api/messages?view=received'),
    read('/api/notifications'),
    read('/api/notifications/unread-count'),
    read(ADMIN_LIST, `${ADMIN_LIST}?${FOUR_FILTERS.toString()}`, admin.token),
  ]
}

async function measure({ name, connections, request }: Case): Promise<Row> {
  const run = () => runLoad({ port: web.port, connections, seconds: SECONDS, request })
  await run() // the engine compiles what is used often
  const before = web.cpuSeconds()
  const { requests, perSecond } = await run()
  const cpuMs = ((web.cpuSeconds() - before) * 1000) / requests
  // profiled in a run of its own: the samples cost time themselves
  const profile = await profiler.profile(run)
  return { name, perSecond, cpuMs, shares: addUp(profile) }
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

const rows: Row[] = []
for (const one of await createCases()) rows.push(await measure(one))
process.stdout.write(`${toTable(rows)}\n`)
