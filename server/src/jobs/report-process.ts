import { statfs } from 'node:fs/promises'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { type Config, readVersion } from '../config.ts'
import type { Pool } from '../db/pool.ts'
import type { LiveHub } from '../live/live-hub.ts'
import type { Logger } from '../log/logger.ts'
import { MINUTE_MS, SECOND_MS } from '../time.ts'
import { type BackgroundJob, startIntervalJob } from './interval-job.ts'
import { forgetJobsBefore } from './run-record.ts'

const REPORT_INTERVAL_MS = 30 * SECOND_MS
/** A process that has not reported for so long has ended. */
export const PROCESS_GONE_AFTER_S = 120
/** By then a worker has begun each of its jobs at least once. */
const JOBS_KNOWN_AFTER_MS = 2 * MINUTE_MS
const NANOSECONDS_PER_MS = 1e6
const EVENT_LOOP_RESOLUTION_MS = 20

type ReportContext = { config: Config; log: Logger; db: Pool; live: LiveHub }

/** Reads the free and total space of the disk with the data folder, in bytes; nulls where there is no such folder. */
export async function readDisk({ DATA_DIR }: Pick<Config, 'DATA_DIR'>) {
  const disk = await statfs(DATA_DIR).catch(() => null)
  return { free: disk && disk.bavail * disk.bsize, total: disk && disk.blocks * disk.bsize }
}

/**
 * Starts writing this process's own figures into its row every 30 s, for /admin/system, where each process shows all of them. A
 * stop takes the row away; that of a process that was killed goes after two minutes.
 *
 * @param id a name no other process has
 */
export function startProcessReports({ config, log, db, live }: ReportContext, id: string): BackgroundJob {
  const startedAt = new Date()
  const version = readVersion()
  const delays = monitorEventLoopDelay({ resolution: EVENT_LOOP_RESOLUTION_MS })
  delays.enable()
  let refusedBefore = 0

  const job = startIntervalJob({ log }, 'reporting the process', REPORT_INTERVAL_MS, async () => {
    const pool = db.figures()
    // what is measured is the time between two looks, which is the resolution when nothing is in the way
    const delayMs = Math.max(0, delays.percentile(99) / NANOSECONDS_PER_MS - EVENT_LOOP_RESOLUTION_MS)
    delays.reset()
    const disk = await readDisk(config)
    await db`
      with ended as (
        delete from processes where seen_at < now() - ${PROCESS_GONE_AFTER_S} * interval '1 second' and id <> ${id}
      )
      insert into processes (id, role, version, node, started_at, streams, pool_size, pool_in_use, pool_waiting, pool_refused,
        event_loop_delay_ms, memory_bytes, disk_free_bytes, disk_total_bytes)
      values (${id}, ${config.ROLE}, ${version}, ${process.versions.node}, ${startedAt}, ${live.countStreams()}, ${pool.size},
        ${pool.inUse}, ${pool.waiting}, ${pool.refused - refusedBefore}, ${delayMs}, ${process.memoryUsage.rss()},
        ${disk.free}, ${disk.total})
      on conflict (id) do update set seen_at = now(), streams = excluded.streams, pool_in_use = excluded.pool_in_use,
        pool_waiting = excluded.pool_waiting, pool_refused = excluded.pool_refused,
        event_loop_delay_ms = excluded.event_loop_delay_ms, memory_bytes = excluded.memory_bytes,
        disk_free_bytes = excluded.disk_free_bytes, disk_total_bytes = excluded.disk_total_bytes`
    refusedBefore = pool.refused
    if (config.ROLE !== 'web' && Date.now() - startedAt.getTime() > JOBS_KNOWN_AFTER_MS)
      await forgetJobsBefore(db, startedAt)
  })
  return {
    async stop() {
      await job.stop()
      delays.disable()
      await db`delete from processes where id = ${id}`.catch(() => {}) // the others see it go in two minutes
    },
  }
}
