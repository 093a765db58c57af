/**
 * Shows whether what people do all day costs the database more when an installation has grown: the same requests on a small
 * and on a large one, alternating, and what each of their statements costs by PostgreSQL's own count. Writes the figures to
 * `docs/figures.md`.
 *
 * npm run bench:growth [-- --vehicles=100000 --rounds=3]
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { formatDatabaseUrl } from '../server/src/db/database-url.ts'
import { openPool, type Pool } from '../server/src/db/pool.ts'
import { startEmbedded } from '../server/src/postgres/embedded-server.ts'
import { fillDatabase } from './admin-data.ts'
import { aim, type Figure, note, recordFigures } from './figures.ts'
import { createClient } from './http-client.ts'
import { runLoad } from './load-generator.ts'
import { encodeRequest, startForBench } from './product.ts'

const { values } = parseArgs({
  options: { vehicles: { type: 'string', default: '100000' }, rounds: { type: 'string', default: '3' } },
})
const SMALL_VEHICLES = 10_000
const LARGE_VEHICLES = Number(values.vehicles)
const ROUNDS = Number(values.rounds)
const MESSAGES_OF_A_VEHICLE = 10
const READERS = 40
const MESSAGES_OF_A_READER = 30
const SECONDS = 3
const CONNECTIONS = 8
const MAX_RATIO = 1.3
/** Statements that ran less often say nothing: they belong to a job or to the start. */
const MIN_CALLS = 50

type Installation = Awaited<ReturnType<typeof createInstallation>>

/** Starts an embedded PostgreSQL that counts what statements cost, and a web process on it. */
async function createInstallation(vehicles: number, port: number) {
  const folder = mkdtempSync(join(tmpdir(), 'platenote-growth-'))
  chmodSync(folder, 0o755) // as root, PostgreSQL runs under another account and must pass through
  const settings = { shared_preload_libraries: 'pg_stat_statements', max_wal_size: '8GB', shared_buffers: '1GB' }
  const postgres = await startEmbedded(join(folder, 'postgres'), { settings })
  const url = formatDatabaseUrl(postgres.connection)
  const product = await startForBench({ url, dataDir: join(folder, 'data'), port, role: 'web' })
  const db = openPool(url, 1, { statementTimeoutMs: 0 })
  await db`create extension pg_stat_statements`
  await fillDatabase(url, vehicles)
  await fillMessages(db)
  const { post, signUp, registerPlate } = createClient(port)
  const readers: { token: string; plate: string }[] = []
  for (let i = 0; i < READERS; i++) {
    const { token } = await signUp(`reader${i}`)
    const plate = `RD${String(i).padStart(4, '0')}`
    await registerPlate(token, plate)
    readers.push({ token, plate })
  }
  for (const [i, { plate }] of readers.entries()) {
    const sender = readers[(i + 1) % READERS]!.token
    for (let n = 0; n < MESSAGES_OF_A_READER; n++)
      await post('/api/messages', sender, { plate, content: 'Your lights are on.' })
  }
  await db.unsafe('vacuum analyze')
  return {
    db,
    port,
    readers,
    async stop() {
      await db.end()
      await product.stop()
      await postgres.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Writes messages to the vehicles with their notifications, as two years of use leave them. */
async function fillMessages(db: Pool) {
  await db.begin(async (tx) => {
    await tx.unsafe(`set local session_replication_role = replica; set local synchronous_commit = off`)
    await tx.unsafe(`create temporary table cars on commit drop as
      select row_number() over () as k, id, user_id, plate from vehicles`)
    await tx.unsafe(`create temporary table people on commit drop as
      select row_number() over () as k, id from auth.users`)
    await tx.unsafe('analyze cars, people')
    await tx.unsafe(`
      insert into messages (id, vehicle_id, sender_id, content_encrypted, reason, is_read, inserted_at, plate, addressed_to)
      select bench_id(n, 6e10 / total, 'b000'), c.id, p.id, decode(repeat('5e', 220), 'hex'), 'lights_on', n % 10 > 0,
        to_timestamp((1700000000000 + n * (6e10 / total)) / 1000), c.plate, c.user_id
      from (select count(*) * ${MESSAGES_OF_A_VEHICLE} as total, count(*) as cars from cars) t,
        lateral generate_series(1, total) n
      join cars c on c.k = n * 7919 % (select count(*) from cars) + 1
      join people p on p.k = n * 104729 % (select count(*) from people) + 1`)
    await tx.unsafe(`
      insert into notifications (id, user_id, number, type, data, message_id, is_read, created_at)
      select id, addressed_to, row_number() over (partition by addressed_to order by id), 'new_message',
        jsonb_build_object('plate', plate), id, is_read, inserted_at
      from messages`)
    await tx.unsafe(`
      insert into notification_counters (user_id, last_number)
      select user_id, max(number) from notifications group by user_id`)
  })
}

/** The requests of the load: what signed-in people do most. */
const CASES: { name: string; status: number; requests: (installation: Installation) => Buffer[] }[] = [
  {
    name: 'send',
    status: 201,
    requests: ({ port, readers }) =>
      readers.map(({ token }, i) => {
        const { plate } = readers[(i * 7 + 3) % READERS]!
        return encodeRequest(port, 'POST', '/api/messages', token, { plate, content: 'Your lights are on.' })
      }),
  },
  ...[
    '/api/messages?view=received',
    '/api/messages?view=sent',
    '/api/notifications',
    '/api/notifications/unread-count',
    '/api/vehicles',
    '/api/dashboard',
  ].map((path) => ({
    name: path,
    status: 200,
    requests: ({ port, readers }: Installation) => readers.map(({ token }) => encodeRequest(port, 'GET', path, token)),
  })),
]

async function burden(installation: Installation): Promise<void> {
  for (const { name, status, requests } of CASES) {
    const all = requests(installation)
    let next = 0
    const load = await runLoad(
      { host: '127.0.0.1', port: installation.port },
      CONNECTIONS,
      SECONDS,
      () => all[next++ % all.length]!,
      status,
    )
    if (load.unexpected.length > 0) throw new Error(`${name} was refused: ${load.unexpected.join(' | ')}`)
  }
}

type Statement = { query: string; calls: number; ms: number; pages: number }

const readStatements = ({ db }: Installation) =>
  db<Statement[]>`
    select query, sum(calls)::int as calls, (sum(total_exec_time) / sum(calls))::float8 as ms,
      (sum(shared_blks_hit + shared_blks_read) / sum(calls))::float8 as pages
    from pg_stat_statements
    where query ~* '^\\s*(with|select|insert|update|delete)' and query !~ 'pg_stat_statements'
    group by query having sum(calls) >= ${MIN_CALLS}`

/** Names a statement by what it begins with, which is enough to find it. */
const label = (query: string) => query.replace(/\s+/g, ' ').replaceAll('|', '\\|').slice(0, 70)

const small = await createInstallation(SMALL_VEHICLES, 39_431)
process.stderr.write(`${SMALL_VEHICLES} vehicles are there\n`)
const large = await createInstallation(LARGE_VEHICLES, 39_432)
process.stderr.write(`${LARGE_VEHICLES} vehicles are there\n`)
const startedAt = performance.now()
try {
  for (const installation of [small, large]) {
    await burden(installation) // warm up
    await installation.db`select pg_stat_statements_reset()`
  }
  for (let round = 0; round < ROUNDS; round++) for (const installation of [small, large]) await burden(installation)
  const before = new Map((await readStatements(small)).map((statement) => [statement.query, statement]))
  const rows = (await readStatements(large)).flatMap((after) => {
    const same = before.get(after.query)
    return same ? [{ before: same, after, pages: after.pages / Math.max(1, same.pages), time: after.ms / same.ms }] : []
  })
  const [size] = await large.db<{ bytes: number }[]>`
    select ((pg_total_relation_size('messages') + pg_total_relation_size('notifications'))
      / (select count(*) from messages))::int as bytes`
  const total = (statements: Statement[]) => statements.reduce((sum, { calls, ms }) => sum + calls * ms, 0)
  const figures: Figure[] = [
    note(
      'messages in the small and in the large installation',
      `${SMALL_VEHICLES * MESSAGES_OF_A_VEHICLE} and ${LARGE_VEHICLES * MESSAGES_OF_A_VEHICLE}`,
    ),
    note('disk of a message with its notification and indexes, large installation', `${size!.bytes} bytes`),
    note('statements that ran often in both', rows.length),
    note(
      'whole time of these in the database, large to small, for each call',
      (
        total(rows.map(({ after }) => after)) /
        rows.reduce((sum, { before: { ms }, after: { calls } }) => sum + calls * ms, 0)
      ).toFixed(2),
    ),
    ...rows
      .toSorted((a, b) => b.after.calls * b.after.ms - a.after.calls * a.after.ms)
      .map(({ before: was, after, pages, time }) =>
        aim(
          `\`${label(after.query)}\``,
          `${was.ms.toFixed(3)} → ${after.ms.toFixed(3)} ms (${time.toFixed(2)}); ${was.pages.toFixed(1)} → ${after.pages.toFixed(1)} pages (${pages.toFixed(2)})`,
          `at most ${MAX_RATIO} times the time`,
          time <= MAX_RATIO,
        ),
      ),
  ]
  const scenario = {
    title: 'Growth',
    description: `The same requests (${CASES.map(({ name }) => name).join(', ')}) on an installation of ${SMALL_VEHICLES} vehicles and on one of ${LARGE_VEHICLES}, ${MESSAGES_OF_A_VEHICLE} messages each, alternating; time and pages of every statement for each call, by \`pg_stat_statements\`.`,
  }
  const run = {
    command: `npm run bench:growth -- --vehicles=${LARGE_VEHICLES}`,
    rounds: ROUNDS,
    seconds: (performance.now() - startedAt) / 1000,
    figures,
  }
  if (!recordFigures('growth', { ...scenario, rounds: ROUNDS, run: async () => figures }, run)) process.exitCode = 1
} finally {
  await small.stop()
  await large.stop()
}
