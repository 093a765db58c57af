import { Gauge, Registry } from 'prom-client'
import { RETURN_REASONS } from '#contract/health.ts'
import { readVersion } from '../config.ts'
import type { AppContext } from '../context.ts'
import type { CountedStore } from '../files/file-store.ts'
import type { ReadMetrics } from '../http/metrics.ts'
import { inboundMails } from '../inbound-mail/receive-mail.ts'
import { readDisk } from '../jobs/report-process.ts'
import { describeError } from '../log/safe-error.ts'
import { SECOND_MS, withTimeout } from '../time.ts'
import { getHealth } from './get-health.ts'

const DATABASE_TIMEOUT_MS = 5 * SECOND_MS

/**
 * Every metric of the product, with what it says. Those of the database are the same
 * from every process; take the maximum of them. The others are this process's own.
 */
export const METRICS = {
  platenote_info: {
    help: 'Always 1; the labels are versions and the role of the process.',
  },
  platenote_database_up: { help: '1 when the database answered in time, otherwise 0; then its metrics are left out.' },
  platenote_mails_waiting: { help: 'Emails that wait to be sent, at most 100,000.' },
  platenote_mails_oldest_seconds: { help: 'For how long the oldest email that is due has waited; 0: none is due.' },
  platenote_mails_failed: { help: 'Emails that were given up, of the last 30 days.' },
  platenote_mails_sent_in_a_day: { help: 'Emails that were written in the last day and have left, at most 100,000.' },
  platenote_mails_returned_in_a_day: { help: 'Those of them that came back.' },
  platenote_addresses_unreachable: { help: 'Addresses that emails come back from, by the reason.' },
  platenote_inbound_mails: {
    help: 'Mails that the mail server handed to this process since it started, by what came of them; most are ignored.',
  },
  platenote_pushes_waiting: { help: 'Devices that were not told of a notification of the last hour yet.' },
  platenote_pushes_oldest_seconds: { help: 'For how long the oldest of those has waited; 0: there is none.' },
  platenote_job_started_timestamp_seconds: { help: 'When a background job last began.' },
  platenote_job_interval_seconds: { help: 'How often a background job is to run.' },
  platenote_job_duration_seconds: { help: 'How long the last run of a background job took.' },
  platenote_job_failed: { help: '1 when the last run of a background job failed.' },
  platenote_processes: { help: 'Processes that reported within two minutes, by their role.' },
  platenote_backup_timestamp_seconds: { help: 'When a backup last succeeded; 0: none is known.' },
  platenote_backup_failed: { help: '1 when the last backup failed.' },
  platenote_backup_readable: { help: '1 when the last backup that succeeded is not encrypted.' },
  platenote_database_bytes: { help: 'Size of the database.' },
  platenote_schema_number: { help: 'Number of the newest migration in the database.' },
  platenote_streams_open: { help: 'Live streams of this process.' },
  platenote_pool_connections: {
    help: 'Connections of this process to the database, up to twice as many while statements wait for locks.',
  },
  platenote_pool_in_use: { help: 'Those in use.' },
  platenote_pool_waiting: { help: 'Callers of this process that wait for a connection.' },
  platenote_pool_refused: { help: 'Callers that got no connection in time since this process started.' },
  platenote_storage_failed: {
    help: 'Reads, writes and deletions of stored files that failed since this process started.',
  },
  platenote_disk_free_bytes: { help: 'Free space of the disk with the data folder.' },
  platenote_disk_total_bytes: { help: 'Size of that disk.' },
} as const satisfies Record<`platenote_${string}`, { help: string }>

type MetricName = keyof typeof METRICS
type Set = (name: MetricName, value: number, labels?: Record<string, string>) => void

/**
 * Returns what reads the figures of /admin/system, and those of this process, into a registry of their own: what is not known has no line.
 *
 * @param files the store of this process
 */
export const readHealthMetrics = (context: AppContext, files: CountedStore): ReadMetrics => {
  const info = { version: readVersion(), node: process.versions.node, role: context.config.ROLE }
  return async () => {
    const registry = new Registry()
    const set = gaugesOf(registry)
    set('platenote_info', 1, info)
    set('platenote_storage_failed', files.countFailed())
    for (const [outcome, count] of Object.entries(inboundMails)) set('platenote_inbound_mails', count, { outcome })
    await setProcessFigures(context, set)
    try {
      await withTimeout(setDatabaseFigures(context, set), DATABASE_TIMEOUT_MS)
      set('platenote_database_up', 1)
    } catch (error) {
      context.log.warn({ error: describeError(error) }, 'metrics could not be read from the database')
      set('platenote_database_up', 0)
    }
    return registry
  }
}

/** Returns what sets a metric, each of which is made at its first value. */
const gaugesOf =
  (registry: Registry): Set =>
  (name, value, labels = {}) => {
    const { help } = METRICS[name]
    const known = registry.getSingleMetric(name) as Gauge | undefined
    const gauge = known ?? new Gauge({ name, help, labelNames: Object.keys(labels), registers: [registry] })
    gauge.set(labels, value)
  }

async function setProcessFigures({ config, db, live }: AppContext, set: Set): Promise<void> {
  const pool = db.figures()
  set('platenote_streams_open', live.countStreams())
  set('platenote_pool_connections', pool.size)
  set('platenote_pool_in_use', pool.inUse)
  set('platenote_pool_waiting', pool.waiting)
  set('platenote_pool_refused', pool.refused)
  const { free, total } = await readDisk(config)
  if (free !== null) set('platenote_disk_free_bytes', free)
  if (total !== null) set('platenote_disk_total_bytes', total)
}

async function setDatabaseFigures({ db, config }: AppContext, set: Set): Promise<void> {
  const { at, mails, pushes, jobs, processes, database, backup } = await getHealth(db, config)
  const secondsOf = (iso: string) => Date.parse(iso) / SECOND_MS
  const ageOf = (iso: string | null) => (iso === null ? 0 : Math.max(0, secondsOf(at) - secondsOf(iso)))
  set('platenote_mails_waiting', mails.waiting)
  set('platenote_mails_oldest_seconds', ageOf(mails.oldest_at))
  set('platenote_mails_failed', mails.failed)
  set('platenote_mails_sent_in_a_day', mails.sent_in_a_day)
  set('platenote_mails_returned_in_a_day', mails.returned_in_a_day)
  for (const reason of RETURN_REASONS) {
    const count = mails.unreachable.find((one) => one.reason === reason)?.count ?? 0
    set('platenote_addresses_unreachable', count, { reason })
  }
  set('platenote_pushes_waiting', pushes.waiting)
  set('platenote_pushes_oldest_seconds', ageOf(pushes.oldest_at))
  for (const { name: job, every_s, started_at, took_ms, ok } of jobs) {
    set('platenote_job_started_timestamp_seconds', secondsOf(started_at), { job })
    set('platenote_job_interval_seconds', every_s, { job })
    set('platenote_job_failed', ok === false ? 1 : 0, { job })
    if (took_ms !== null) set('platenote_job_duration_seconds', took_ms / SECOND_MS, { job })
  }
  for (const role of ['web', 'worker', 'all'])
    set('platenote_processes', processes.filter((process) => process.role === role).length, { role })
  set('platenote_backup_timestamp_seconds', backup.succeeded_at === null ? 0 : secondsOf(backup.succeeded_at))
  set('platenote_backup_failed', backup.ok === false ? 1 : 0)
  set('platenote_backup_readable', backup.is_encrypted === false ? 1 : 0)
  set('platenote_database_bytes', database.bytes)
  set('platenote_schema_number', database.schema)
}
