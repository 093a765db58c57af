import type { Health, JobFigures, ProcessFigures } from '#contract/health.ts'
import { newIdAt } from '../db/ids.ts'
import type { Db } from '../db/pool.ts'
import { PROCESS_GONE_AFTER_S } from '../jobs/report-process.ts'
import { BACKUP_RUN, OPERATIONS_LOCK } from '../jobs/run-record.ts'
import { HOUR_MS } from '../time.ts'

/** Notifications are pushed in their first hour; older ones wait in the list of notifications. */
const PUSH_MAX_AGE_MS = HOUR_MS
/** Looks at so many of the latest notifications, so that a busy hour costs no more than a quiet one. */
const MAX_NOTIFICATIONS = 20_000

/** Counts the devices that were not pushed a notification of the last hour yet, and finds the oldest of those notifications. */
export const getPushFigures = async (db: Db): Promise<Health['pushes']> => {
  const since = newIdAt(new Date(Date.now() - PUSH_MAX_AGE_MS))
  const [row] = await db<Health['pushes'][]>`
    select count(distinct s.session_id)::int as waiting, min(n.created_at) as oldest_at
    from (
      select user_id, number, created_at, is_read from notifications
      where id > ${since} order by id desc limit ${MAX_NOTIFICATIONS}
    ) n
    join push_subscriptions s on s.user_id = n.user_id
    where n.number > s.pushed_number and not n.is_read and coalesce(s.held_until <= now(), true)`
  return row!
}

export const listJobs = (db: Db) =>
  db<JobFigures[]>`
    select name, every_s, started_at, took_ms, ok, error, succeeded_at from job_runs order by name`

/** Lists the processes that reported lately. */
export const listProcesses = (db: Db) =>
  db<ProcessFigures[]>`
    select id, role, version, node, started_at, streams, pool_size, pool_in_use, pool_waiting, pool_refused,
      event_loop_delay_ms, memory_bytes::float8, disk_free_bytes::float8, disk_total_bytes::float8
    from processes
    where seen_at > now() - ${PROCESS_GONE_AFTER_S} * interval '1 second'
    order by started_at, id`

/** Returns the last backup that was tried, and when one last succeeded. One without an end has failed once no command runs any more. */
export const getBackupFigures = async (db: Db): Promise<Health['backup']> => {
  const [row] = await db<Health['backup'][]>`
    select max(coalesce(ended_at, started_at)) filter (where ok) as succeeded_at,
      (array_agg(is_encrypted order by started_at desc) filter (where ok))[1] as is_encrypted,
      (array_agg(coalesce(ok, false) order by started_at desc) filter (where ended_at is not null or not exists (
        select from pg_locks l join pg_database d on d.oid = l.database
        where d.datname = current_database() and l.locktype = 'advisory' and l.objid = ${OPERATIONS_LOCK})))[1] as ok
    from operations_runs where name = ${BACKUP_RUN}`
  return row!
}

/** Returns version, size in bytes and number of the last migration of the database, and its present time. */
export const getDatabaseFigures = async (db: Db): Promise<Health['database'] & { at: string }> => {
  const [row] = await db<(Health['database'] & { at: string })[]>`
    select now() as at, current_setting('server_version') as version, pg_database_size(current_database())::float8 as bytes,
      (select max(number) from schema_migrations) as schema`
  return row!
}
