import type { Db, Pool } from '../db/pool.ts'
import { RETENTION } from '../retention.ts'

/** The name under which `platenote backup` records its runs. */
export const BACKUP_RUN = 'backup'
/** Every command that is recorded holds it, shared. Any number works that no other program on the database uses. */
export const OPERATIONS_LOCK = 727_120_458

type JobRun = { name: string; everyS: number; startedAt: Date }
type JobOutcome = { tookMs: number; error: string | null }

/** Records that a job has started for the first time in this process: a run that never ends is seen by that. */
export const recordJobStart = async (db: Db, { name, everyS, startedAt }: JobRun): Promise<void> => {
  await db`
    insert into job_runs (name, every_s, started_at) values (${name}, ${everyS}, ${startedAt})
    on conflict (name) do update set every_s = excluded.every_s, started_at = excluded.started_at`
}

/** Records how a run of a job ended. */
export const recordJobEnd = async (db: Db, run: JobRun, { tookMs, error }: JobOutcome): Promise<void> => {
  const { name, everyS, startedAt } = run
  await db`
    insert into job_runs (name, every_s, started_at, took_ms, ok, error, succeeded_at)
    values (${name}, ${everyS}, ${startedAt}, ${tookMs}, ${error === null}, ${error},
      ${error === null ? startedAt : null}::timestamptz)
    on conflict (name) do update set every_s = excluded.every_s, started_at = excluded.started_at,
      took_ms = excluded.took_ms, ok = excluded.ok, error = excluded.error,
      succeeded_at = coalesce(excluded.succeeded_at, job_runs.succeeded_at)`
}

/** Deletes the jobs that no process has run since then: an earlier version had them. */
export const forgetJobsBefore = async (db: Db, startedAt: Date): Promise<void> => {
  await db`delete from job_runs where started_at < ${startedAt}`
}

/** Records the end of what an operator ran by a command; `detail` is for admins to read. */
export const recordOperation = async (
  db: Db,
  { name, startedAt, ok, detail }: { name: string; startedAt: Date; ok: boolean; detail: string | null },
): Promise<void> => {
  await db`
    with kept as (
      insert into operations_runs (name, started_at, ended_at, ok, detail)
      values (${name}, ${startedAt}, now(), ${ok}, ${detail})
      on conflict (name, started_at) do update set ended_at = now(), ok = excluded.ok, detail = excluded.detail
    )
    delete from operations_runs where name = ${name} and started_at < now() - ${RETENTION.commandRuns}::interval`
}

/** Records in a restored database that its own backup succeeded, whose run had no end yet when its rows were read. */
export const recordRestoredBackup = async (
  tx: Db,
  { startedAt, finishedAt }: { startedAt: string; finishedAt: string },
): Promise<void> => {
  await tx`
    update operations_runs set ended_at = ${finishedAt}, ok = true
    where name = ${BACKUP_RUN} and ended_at is null and started_at = (
      select max(started_at) from operations_runs where name = ${BACKUP_RUN} and started_at <= ${startedAt})`
}

/**
 * Records that an operator's command has begun, and whether what it makes is encrypted, and holds the lock of those that run until its end: a command that was killed has
 * no end and no lock. A database that does not have the table yet records nothing.
 *
 * @returns what records the end
 */
export async function beginOperation(
  db: Pool,
  name: string,
  isEncrypted: boolean,
): Promise<(ok: boolean, detail: string | null) => Promise<void>> {
  const startedAt = new Date()
  const connection = await db.reserve()
  const [table] = await connection<{ exists: boolean }[]>`select to_regclass('operations_runs') is not null as exists`
  if (table!.exists) {
    await connection`select pg_advisory_lock_shared(${OPERATIONS_LOCK})`
    await connection`
      insert into operations_runs (name, started_at, is_encrypted) values (${name}, ${startedAt}, ${isEncrypted})`
  }
  return async (ok, detail) => {
    if (table!.exists) await recordOperation(db, { name, startedAt, ok, detail })
    await connection`select pg_advisory_unlock_all()`
    connection.release()
  }
}
