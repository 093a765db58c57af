import { type Health, type HealthWarning, WARNING_CODES } from '#contract/health.ts'
import type { Db } from '../db/pool.ts'
import { getMailFigures } from '../email/failed-mails.ts'
import { countUnreachable } from '../email/returned-mails.ts'
import { HOUR_S, MINUTE_S } from '../time.ts'
import { getBackupFigures, getDatabaseFigures, getPushFigures, listJobs, listProcesses } from './queries.ts'

/** From when on something needs doing. The alert rules have the same figures; a test compares them. */
export const THRESHOLDS = {
  mailsLateS: 5 * MINUTE_S,
  /** More than a mailbox or two: then it is our server that others refuse. */
  mailsReturnedShare: 0.05,
  mailsReturnedMin: 3,
  pushesLateS: 5 * MINUTE_S,
  /** A job is late when it last began so many intervals ago, and some minutes for a process to restart. */
  jobLateIntervals: 3,
  jobLateGraceS: 5 * MINUTE_S,
  diskFreeShare: 0.1,
  eventLoopDelayMs: 250,
  backupOldS: 26 * HOUR_S,
  /** An upgrade of processes one by one is over by then. */
  versionsDifferS: 10 * MINUTE_S,
} as const

type Figures = Omit<Health, 'warnings'>

/** Returns what needs doing, the most urgent first. What only people's data need is left out where it is not production. */
export function findWarnings(figures: Figures, { production }: { production: boolean }): HealthWarning[] {
  const { at, mails, pushes, jobs, processes, backup } = figures
  const ageS = (iso: string) => (Date.parse(at) - Date.parse(iso)) / 1000
  const isOlder = (iso: string | null, seconds: number) => iso !== null && ageS(iso) > seconds
  const warnings: HealthWarning[] = []
  const warn = (code: HealthWarning['code'], subject: string | null = null) => warnings.push({ code, subject })

  const hasWorker = processes.some(({ role }) => role !== 'web')
  if (!hasWorker) warn('no_worker')
  for (const process of processes) {
    const { id, disk_free_bytes: free, disk_total_bytes: total } = process
    if (process.pool_waiting > 0 || process.pool_refused > 0) warn('pool_exhausted', id)
    if (free !== null && total !== null && free < total * THRESHOLDS.diskFreeShare) warn('disk_low', id)
    if (process.event_loop_delay_ms > THRESHOLDS.eventLoopDelayMs) warn('event_loop_slow', id)
  }
  if (isOlder(mails.oldest_at, THRESHOLDS.mailsLateS)) warn('mails_late')
  if (mails.failed > 0) warn('mails_failed')
  const { sent_in_a_day: sent, returned_in_a_day: returned } = mails
  if (returned >= THRESHOLDS.mailsReturnedMin && returned > sent * THRESHOLDS.mailsReturnedShare) warn('mails_returned')
  if (isOlder(pushes.oldest_at, THRESHOLDS.pushesLateS)) warn('pushes_late')
  for (const { name, every_s, started_at, ok } of jobs) {
    if (ok === false) warn('job_failed', name)
    // without a worker all of them are, and that is said once
    const lateAfterS = THRESHOLDS.jobLateIntervals * every_s + THRESHOLDS.jobLateGraceS
    if (hasWorker && isOlder(started_at, lateAfterS)) warn('job_late', name)
  }
  if (backup.ok === false) warn('backup_failed')
  if (backup.succeeded_at === null) warn('backup_unknown')
  else if (isOlder(backup.succeeded_at, THRESHOLDS.backupOldS)) warn('backup_old')
  if (production && backup.is_encrypted === false) warn('backup_readable')
  const newest = processes.at(-1)
  const differ = new Set(processes.map(({ version }) => version)).size > 1
  if (newest && differ && isOlder(newest.started_at, THRESHOLDS.versionsDifferS)) warn('versions_differ')

  return warnings.sort((a, b) => WARNING_CODES.indexOf(a.code) - WARNING_CODES.indexOf(b.code))
}

/** Returns the health of the installation, and what needs doing. One statement after the other: a busy pool needs no burst. */
export async function getHealth(db: Db, config: { production: boolean }): Promise<Health> {
  const { at, ...database } = await getDatabaseFigures(db)
  const figures = {
    at,
    database,
    mails: { ...(await getMailFigures(db)), unreachable: await countUnreachable(db) },
    pushes: await getPushFigures(db),
    jobs: await listJobs(db),
    processes: await listProcesses(db),
    backup: await getBackupFigures(db),
  }
  return { ...figures, warnings: findWarnings(figures, config) }
}
