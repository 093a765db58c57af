/**
 * Shows whether what people do all day costs the database more when an installation has grown: the same requests on a small
 * and on a large one, alternating, and what each of their statements costs by PostgreSQL's own count.
 *
 * npm run bench -- growth [--vehicles=100000 --rounds=3]
 */
import { parseArgs } from 'node:util'
import { aim, type Figure, note, quantile, recordFigures } from './figures.ts'
import { CACHE, createInstallation, type Installation, MESSAGES_OF_A_VEHICLE, READERS } from './growth-data.ts'
import { runWorkload, WORKLOAD } from './growth-requests.ts'

const { values } = parseArgs({
  options: { vehicles: { type: 'string', default: '100000' }, rounds: { type: 'string', default: '3' } },
})
const SMALL_VEHICLES = 10_000
const LARGE_VEHICLES = Number(values.vehicles)
const ROUNDS = Number(values.rounds)
const MAX_RATIO = 1.3
/** A smaller difference is within the error of the measurement. */
const NOISE_MS = 0.01
/** Statements that ran less often are left out: they belong to a job or to the start. */
const MIN_CALLS = 50

type Statement = { query: string; calls: number; ms: number; pages: number }
type Comparison = { small: Statement; large: Statement }

const COMMENT = /--.*$/gm
/** What the statistics of PostgreSQL have a parameter for, unless a statement was prepared before they began. */
const CONSTANT = (() => {
  const one = String.raw`(?:'[^']*'|\$\d+|\b\d+(?:\.\d+)?\b|\b(?:true|false|null)\b|(?<=\bextract\()\w+)`
  return new RegExp(String.raw`${one}(?:\s*,\s*${one})*(?: /\*, \.\.\. \*/)?`, 'g')
})()
/** Returns a query as it is whatever its constants are. */
const withoutConstants = (query: string): string =>
  query.replace(COMMENT, '').replace(CONSTANT, '?').replace(/\s+/g, ' ').trim()

/** Runs the workload on an installation and returns what each statement cost meanwhile, by its text without the constants. */
async function measure(installation: Installation): Promise<Map<string, Statement>> {
  const { db } = installation
  await db`select pg_stat_statements_reset()`
  await runWorkload(installation)
  const rows = await db<Statement[]>`
    select query, calls::int, total_exec_time as ms, (shared_blks_hit + shared_blks_read)::float8 as pages
    from pg_stat_statements
    where query ~* '^\\s*(with|select|insert|update|delete)' and query !~ 'pg_stat_statements'`
  // the texts of one statement differ by its constants
  const statements = Map.groupBy(rows, ({ query }) => withoutConstants(query))
  return new Map(
    [...statements].map(([text, same]) => {
      const sum = (of: 'calls' | 'ms' | 'pages') => same.reduce((total, row) => total + row[of], 0)
      const calls = sum('calls')
      return [text, { query: same[0]!.query, calls, ms: sum('ms') / calls, pages: sum('pages') / calls }] as const
    }),
  )
}

/** Returns what the statements that ran often cost, in the median of the rounds: something else may have slowed one down. */
function medians(rounds: Map<string, Statement>[]): Map<string, Statement> {
  const all = Map.groupBy(
    rounds.flatMap((round) => [...round]),
    ([text]) => text,
  )
  return new Map(
    [...all].flatMap(([text, entries]) => {
      const statements = entries.map(([, statement]) => statement)
      const calls = statements.reduce((sum, statement) => sum + statement.calls, 0)
      const [ms, pages] = [quantile(statements.map((one) => one.ms)), quantile(statements.map((one) => one.pages))]
      return calls < MIN_CALLS ? [] : [[text, { query: statements[0]!.query, calls, ms, pages }] as const]
    }),
  )
}

/** Names a statement by its first words, which are enough to find it. */
const label = (query: string) => query.replace(/\s+/g, ' ').replaceAll('|', '\\|').slice(0, 70)

function compareFigure(name: string, { small, large }: Comparison): Figure {
  const [time, pages] = [large.ms / small.ms, large.pages / Math.max(1, small.pages)]
  return aim(
    name,
    `${small.ms.toFixed(3)} → ${large.ms.toFixed(3)} ms (${time.toFixed(2)}); ${small.pages.toFixed(1)} → ${large.pages.toFixed(1)} pages (${pages.toFixed(2)})`,
    `at most ${MAX_RATIO} times the time, or ${NOISE_MS} ms more`,
    time <= MAX_RATIO || large.ms - small.ms <= NOISE_MS,
  )
}

await using small = await createInstallation(SMALL_VEHICLES)
process.stderr.write(`${SMALL_VEHICLES} vehicles are there\n`)
await using large = await createInstallation(LARGE_VEHICLES)
process.stderr.write(`${LARGE_VEHICLES} vehicles are there\n`)
const startedAt = performance.now()
for (const installation of [small, large]) await runWorkload(installation) // warm up
const rounds = { small: [] as Map<string, Statement>[], large: [] as Map<string, Statement>[] }
for (let round = 0; round < ROUNDS; round++) {
  rounds.small.push(await measure(small))
  rounds.large.push(await measure(large))
}
const before = medians(rounds.small)
const comparisons = [...medians(rounds.large)].flatMap(([text, after]): Comparison[] => {
  const same = before.get(text)
  return same ? [{ small: same, large: after }] : []
})
const [size] = await large.db<{ bytes: number; with_mail: number }[]>`
  select (of_messages / count)::int as bytes, ((of_messages + pg_total_relation_size('outbox')) / count)::int as with_mail
  from (select pg_total_relation_size('messages') + pg_total_relation_size('notifications') as of_messages,
    (select count(*) from messages) as count) m`
const [pages] = await large.db<{ huge_pages_status: string }[]>`show huge_pages_status`
const ofStatements = comparisons
  .toSorted((a, b) => b.large.calls * b.large.ms - a.large.calls * a.large.ms)
  .map((comparison) => compareFigure(`\`${label(comparison.large.query)}\``, comparison))
const [largeMs, smallMs] = [
  comparisons.reduce((sum, { large: { calls, ms } }) => sum + calls * ms, 0),
  comparisons.reduce((sum, { small: { ms }, large: { calls } }) => sum + calls * ms, 0),
]
const figures: Figure[] = [
  note(
    'messages in the small and in the large installation',
    `${SMALL_VEHICLES * MESSAGES_OF_A_VEHICLE} and ${LARGE_VEHICLES * MESSAGES_OF_A_VEHICLE}`,
  ),
  note('disk of a message with its notification and indexes, large installation', `${size!.bytes} bytes`),
  note('with the row of its email too', `${size!.with_mail} bytes`),
  note('its indexes, all in the cache at the beginning', `${(large.indexBytes / 2 ** 30).toFixed(1)} GiB`),
  note('the cache is in huge pages', pages!.huge_pages_status),
  note('statements that ran often in both', comparisons.length),
  note('whole time of these in the database, large to small, for each call', (largeMs / smallMs).toFixed(2)),
  ...ofStatements,
]
recordFigures({
  title: 'Growth',
  description: `The same requests (${WORKLOAD}) of ${READERS} people spread over all accounts, on an installation of ${SMALL_VEHICLES} vehicles and on one of ${LARGE_VEHICLES}, ${MESSAGES_OF_A_VEHICLE} messages each, alternating, with the emails they cause, and with the indexes in the cache of PostgreSQL (\`shared_buffers\`, ${CACHE}), as docs/operations.md asks for; time and pages of every statement for each call, by \`pg_stat_statements\`, in the median of the rounds. Each is named by what it begins with.`,
  command: `npm run bench -- growth --vehicles=${LARGE_VEHICLES}`,
  rounds: ROUNDS,
  startedAt,
  figures,
})
