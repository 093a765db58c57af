import type { Health } from '#contract/health.ts'
import type { Db } from '../db/pool.ts'
import { getMailFigures } from '../email/failed-mails.ts'
import { getBackupFigures, getDatabaseFigures, getPushFigures, listJobs, listProcesses } from './queries.ts'
import { findWarnings } from './warnings.ts'

/** Returns the health of the installation, and what needs doing. One statement after the other: a busy pool needs no burst. */
export async function getHealth(db: Db): Promise<Health> {
  const { at, ...database } = await getDatabaseFigures(db)
  const figures = {
    at,
    database,
    mails: await getMailFigures(db),
    pushes: await getPushFigures(db),
    jobs: await listJobs(db),
    processes: await listProcesses(db),
    backup: await getBackupFigures(db),
  }
  return { ...figures, warnings: findWarnings(figures) }
}
