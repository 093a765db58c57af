import type { HealthWarning } from '#contract/health.ts'
import { encryptTo } from '../backup/age.ts'
import type { Config } from '../config.ts'
import type { Pool } from '../db/pool.ts'
import { sqlState } from '../db/pool.ts'
import { getHealth } from '../health/get-health.ts'
import { readOnly } from './connect.ts'
import { type Finding, ok, warn } from './finding.ts'

const UNDEFINED_TABLE = '42P01'
const UNDEFINED_COLUMN = '42703'

/** What each warning of /admin/system means to an operator at a terminal. */
const ADVICE: Record<HealthWarning['code'], string> = {
  no_worker: 'none has reported for two minutes: start PlateNote with ROLE=worker or ROLE=all',
  pool_exhausted: 'a process has too few connections: raise DATABASE_POOL',
  disk_low: 'the disk of a process is nearly full: free some space',
  mails_late: 'emails that are due have waited for minutes: see the line about mail, or platenote mails status',
  mails_failed: 'emails were given up: platenote mails status says why, and retry sends them again',
  mails_returned: 'many emails came back in a day: see whether other mail servers block yours; System has the reasons',
  pushes_late: 'notifications on devices have waited for minutes: let the worker reach PUSH_HOSTS on port 443',
  job_failed: 'the last run of this job failed; the log of the worker says why',
  job_late: 'this job is late; the log of the worker says why',
  event_loop_slow: 'a process is too busy: start another web process',
  backup_failed: 'the last one failed: run platenote backup <folder> and see why',
  backup_unknown: 'none is known: run platenote backup <new folder> every day',
  backup_old: 'the last one is older than a day: run platenote backup <new folder> every day',
  backup_readable:
    'the last one can be read by whoever copies it: platenote backup --new-key <file>, and set BACKUP_RECIPIENTS',
  versions_differ: 'processes of different versions run: restart the older ones',
}

const isAboutBackups = ({ code }: HealthWarning) => code.startsWith('backup_')

/** Checks the health of what runs, as /admin/system does; all of it is at most a warning. */
async function findWarnings(db: Pool, config: Config) {
  try {
    return await readOnly(db, (tx) => getHealth(tx, config))
  } catch (error) {
    if (sqlState(error) !== UNDEFINED_TABLE && sqlState(error) !== UNDEFINED_COLUMN) throw error
    return null // the tables of an older schema
  }
}

const NOT_THERE = warn('not known, because the database does not have all tables yet: see the line about the schema')

const toFinding = ({ code, subject }: HealthWarning): Finding =>
  warn(`${code.startsWith('job_') ? `"${subject}": ` : ''}${ADVICE[code]}`)

/** Looks at when the last backup was made, and whether the next can be encrypted. */
export async function checkBackup(db: Pool, config: Config): Promise<Finding[]> {
  encryptTo(config.BACKUP_RECIPIENTS)
  const health = await findWarnings(db, config)
  if (!health) return [NOT_THERE]
  const found = health.warnings.filter(isAboutBackups).map(toFinding)
  return found.length > 0 ? found : [ok(`the last one succeeded at ${health.backup.succeeded_at}`)]
}

/** Looks at the processes, their jobs, and what waits to be sent. */
export async function checkWorkers(db: Pool, config: Config): Promise<Finding[]> {
  const health = await findWarnings(db, config)
  if (!health) return [NOT_THERE]
  const found = health.warnings.filter((warning) => !isAboutBackups(warning)).map(toFinding)
  return found.length > 0
    ? found
    : [ok(`nothing waits or fails (processes: ${health.processes.length}, jobs: ${health.jobs.length})`)]
}
