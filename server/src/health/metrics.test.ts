import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { newId } from '../db/ids.ts'
import { recordOperation } from '../jobs/run-record.ts'
import { testApp } from '../test/app.ts'
import { eventually } from '../test/eventually.ts'
import { findFreePort } from '../test/free-port.ts'
import { THRESHOLDS } from './get-health.ts'
import { METRICS } from './metrics.ts'

const ROOT = join(import.meta.dirname, '../../..')
const readText = (path: string) => readFileSync(join(ROOT, path), 'utf8')

type Rule = { name: string; expr: string }
const RULES: Rule[] = [
  ...readText('operations/alert-rules.yaml').matchAll(/- alert: (\w+)\n(?:\s+#.*\n)?\s+expr: (.+)/g),
].map(([, name, expr]) => ({ name: name!, expr: expr! }))
type Panel = { title: string; targets: { expr: string }[] }
const PANELS = (JSON.parse(readText('operations/grafana-dashboard.json')) as { panels: Panel[] }).panels

/** Returns the metrics that an expression names. `up` is Prometheus’s own. */
const metricsIn = (expr: string): string[] =>
  expr
    .replaceAll(/\{[^}]*\}|\bby \([^)]*\)/g, '')
    .match(/\b[a-z]+(?:_[a-z0-9]+)+\b/g)
    ?.filter((name) => name !== 'histogram_quantile') ?? []

const port = await findFreePort()
const app = await testApp({ settings: { METRICS_PORT: String(port) } })
const metricsUrl = `http://127.0.0.1:${port}/metrics`

const scrape = async (): Promise<string> => (await fetch(metricsUrl)).text()
/** Returns the value of a metric without labels, or with exactly these. */
function sampleOf(text: string, name: string, labels = ''): number | undefined {
  const line = text.split('\n').find((one) => one.startsWith(`${name}${labels} `))
  return line === undefined ? undefined : Number(line.slice(line.lastIndexOf(' ') + 1))
}
/** The names of all samples. */
const namesIn = (text: string) =>
  new Set(text.split('\n').flatMap((line) => (line === '' || line.startsWith('#') ? [] : [/^\w+/.exec(line)![0]])))

test('a running server exports every metric that the alert rules and the dashboard name', async () => {
  await fetch(`${app.url}/healthz`)
  const text = await eventually(async () => {
    const found = await scrape()
    return found.includes('platenote_job_duration_seconds{') && found.includes('platenote_processes{role="all"} 1')
      ? found
      : undefined
  })
  const exported = namesIn(text)
  assert.ok(RULES.length >= 14 && PANELS.length >= 15)
  for (const { name, expr } of RULES) {
    if (name !== 'PlateNoteDown') assert.ok(metricsIn(expr).length > 0, name)
    for (const metric of metricsIn(expr)) assert.ok(exported.has(metric), `${name}: ${metric}`)
  }
  for (const { title, targets } of PANELS)
    for (const { expr } of targets)
      for (const metric of metricsIn(expr)) assert.ok(exported.has(metric), `${title}: ${metric}`)
})

test('every metric of the product is exported and on the dashboard', async () => {
  const text = await scrape()
  const own = [...text.matchAll(/^# TYPE ((?:platenote|http_request)_\w+)/gm)].map(([, name]) => name!)
  for (const name of Object.keys(METRICS)) assert.ok(own.includes(name), name)
  const shown = PANELS.flatMap(({ targets }) => targets.flatMap(({ expr }) => metricsIn(expr)))
  for (const name of Object.keys(METRICS)) assert.ok(shown.includes(name), `${name} is on no panel`)
})

test('the alert rules and /admin/system warn from the same figures on', () => {
  const expr = (name: string) => RULES.find((rule) => rule.name === name)?.expr ?? ''
  const { mailsLateS, pushesLateS, jobLateIntervals, jobLateGraceS, diskFreeShare, eventLoopDelayMs, backupOldS } =
    THRESHOLDS
  assert.ok(expr('PlateNoteMailsLate').endsWith(`> ${mailsLateS}`))
  assert.ok(expr('PlateNoteMailsReturned').includes(`>= ${THRESHOLDS.mailsReturnedMin} and`))
  assert.ok(expr('PlateNoteMailsReturned').endsWith(`> ${THRESHOLDS.mailsReturnedShare}`))
  assert.ok(expr('PlateNotePushesLate').endsWith(`> ${pushesLateS}`))
  assert.ok(expr('PlateNoteDiskLow').endsWith(`< ${diskFreeShare}`))
  assert.ok(expr('PlateNoteEventLoopSlow').endsWith(`> ${eventLoopDelayMs / 1000}`))
  assert.ok(expr('PlateNoteBackupOld').endsWith(`> ${backupOldS / 3600} * 3600`))
  assert.match(expr('PlateNoteJobLate'), new RegExp(`> ${jobLateIntervals} \\* .* \\+ ${jobLateGraceS}$`))
})

test('the metrics say what /admin/system says', async () => {
  const person = await app.user()
  const before = sampleOf(await scrape(), 'platenote_mails_failed')!
  await app.db`
    insert into outbox (id, kind, ref_id, recipient_id, failed_at, last_error)
    values (${newId()}, 'reply', ${newId()}, ${person.id}, now(), 'smtp_550')`
  await app.db`
    insert into outbox (id, kind, ref_id, recipient_id, attempts, due_since, run_at)
    values (${newId()}, 'reply', ${newId()}, ${person.id}, 3, now() - interval '10 minutes', now() + interval '1 hour')`
  assert.equal(sampleOf(await scrape(), 'platenote_backup_timestamp_seconds'), 0)
  await recordOperation(app.db, { name: 'backup', startedAt: new Date(), ok: true, detail: null })
  const text = await scrape()
  assert.equal(sampleOf(text, 'platenote_mails_failed'), before + 1)
  assert.ok(sampleOf(text, 'platenote_mails_oldest_seconds')! >= 600)
  assert.ok(Date.now() / 1000 - sampleOf(text, 'platenote_backup_timestamp_seconds')! < 600)
  assert.equal(sampleOf(text, 'platenote_job_interval_seconds', '{job="settling overdue disputes"}'), 60)
  assert.equal(sampleOf(text, 'platenote_pool_connections'), app.config.DATABASE_POOL)
  assert.doesNotMatch(text, new RegExp(person.email))
})

test('without its database a process still answers, and leaves out what it does not know', async () => {
  await app.db`alter table processes rename to hidden`
  const text = await scrape()
  await app.db`alter table hidden rename to processes`
  assert.equal(sampleOf(text, 'platenote_database_up'), 0)
  assert.equal(sampleOf(text, 'platenote_backup_failed'), undefined)
  assert.ok(sampleOf(text, 'platenote_disk_free_bytes')! > 0)
  assert.equal(sampleOf(await scrape(), 'platenote_database_up'), 1)
})
