import { existsSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { countFinishedWeeks } from './admin/activity.ts'
import { buildApp } from './app.ts'
import { startAttachmentCleanup } from './attachments/cleanup.ts'
import { copyDeletions } from './backup/deletion-journal.ts'
import { type Config, ConfigError } from './config.ts'
import type { AppContext } from './context.ts'
import { newId } from './db/ids.ts'
import { migrate, waitForMigrations } from './db/migrate.ts'
import type { Pool } from './db/pool.ts'
import { openTransport } from './email/transport.ts'
import { startMailWorker } from './email/worker.ts'
import { hasEncryptedData, openKeyring, verifyKeysBeforeStart } from './encryption/verify-keys.ts'
import { countFailures } from './files/file-store.ts'
import { openFileStore } from './files/open-file-store.ts'
import { readHealthMetrics } from './health/metrics.ts'
import { startHourlyCleanup } from './hourly-cleanup.ts'
import { listen } from './http/listen.ts'
import { startMetricsServer } from './http/metrics.ts'
import { startIntervalJob } from './jobs/interval-job.ts'
import { startProcessReports } from './jobs/report-process.ts'
import { deleteExpiredCounters } from './limits/rate-limiter.ts'
import { openLiveHub } from './live/live-hub.ts'
import { createLogger } from './log/logger.ts'
import { MAIL_RENDERERS } from './mail-renderers.ts'
import { makeSendPush } from './push/send-push.ts'
import { loadVapidKeys } from './push/vapid.ts'
import { startPushWorker } from './push/worker.ts'
import { loadJwtSecret, loadMasterKeys } from './secrets.ts'
import { startAnswerPushes } from './tags/push-answers.ts'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from './time.ts'
import { startOverdueJob } from './vehicles/settle-overdue-disputes.ts'

type RunningServer = {
  app: FastifyInstance
  context: AppContext
  url: string
  /** Stops listening, ends what runs, and closes everything. `app.drain()` comes first where a proxy is to notice. */
  stop(): Promise<void>
}

/** Counters of strangers' tries end soon, and there may be many. */
const COUNTER_PURGE_INTERVAL_MS = 5 * MINUTE_MS
/** What is deleted within this time before a database is lost comes back with a backup. */
const DELETIONS_COPY_INTERVAL_MS = 5 * SECOND_MS

type StartOptions = {
  /** The folder of the built web app; left out: the API alone is served. */
  webRoot?: string | undefined
} & Pick<AppContext, 'passwordHashing' | 'patienceMs'>

/** Starts everything on an open database: checks the keys, migrates it, starts the workers and listens. */
export async function startServer(
  config: Config,
  db: Pool,
  { webRoot, passwordHashing, patienceMs }: StartOptions = {},
): Promise<RunningServer> {
  if (webRoot && !existsSync(join(webRoot, 'csp.json')))
    throw new ConfigError('the web app is not built; run npm run build')
  await waitForMigrations(db)
  const keys = loadMasterKeys(config, { allowCreate: !(await hasEncryptedData(db)) })
  const jwtSecret = loadJwtSecret(config, { allowCreate: true })
  await verifyKeysBeforeStart(db, keys) // before anything is written
  const log = createLogger(config.LOG_LEVEL)
  const files = countFailures(await openFileStore(config))
  await migrate(db, { onWait: (line) => log.warn(line) })
  const keyring = await openKeyring(db, keys)

  // run in reverse order, also when the start fails half-way, so that nothing writes after its one line
  const cleanups: (() => unknown)[] = []
  /** What works on requests and in the background: it ends side by side, so that nothing of it keeps the rest waiting. */
  const work: { stop(): unknown }[] = []
  const stop = async () => {
    for (let cleanUp = cleanups.pop(); cleanUp; cleanUp = cleanups.pop()) await cleanUp()
  }
  try {
    const processId = newId()
    const live = await openLiveHub(db, log, processId)
    cleanups.push(() => live.close())
    const reports = startProcessReports({ config, log, db, live }, processId)
    cleanups.push(() => reports.stop())
    const baseContext = { config, log, db, keyring, jwtSecrets: [jwtSecret, ...config.JWT_SECRETS_OLD], files, live }
    const transport = openTransport(config, db)
    cleanups.push(() => transport.close())
    cleanups.push(() => Promise.all(work.map((each) => each.stop())))
    const runsJobs = config.ROLE !== 'web'
    const vapid = loadVapidKeys(config)
    if (runsJobs && vapid) {
      const sendPush = makeSendPush(config, vapid)
      work.push(startPushWorker(baseContext, sendPush), startAnswerPushes(baseContext, sendPush))
    }
    const mailWorker = runsJobs ? startMailWorker(baseContext, MAIL_RENDERERS, transport) : undefined
    const context: AppContext = {
      ...baseContext,
      passwordHashing,
      patienceMs,
      outbox: { wake: () => mailWorker?.wake() },
    }
    if (mailWorker) {
      work.push(
        mailWorker,
        startAttachmentCleanup(baseContext),
        startIntervalJob({ log, db }, 'deleting expired rate counters', COUNTER_PURGE_INTERVAL_MS, () =>
          deleteExpiredCounters(db),
        ),
        startIntervalJob({ log, db }, 'copying deletions beside the database', DELETIONS_COPY_INTERVAL_MS, () =>
          copyDeletions(db, files),
        ),
        startIntervalJob({ log, db }, 'counting what happened in a week', HOUR_MS, () => countFinishedWeeks(db)),
        startHourlyCleanup(baseContext),
        startOverdueJob(context),
      )
    }
    const app = await buildApp(context, webRoot)
    work.push({ stop: () => app.close() })
    if (config.METRICS_PORT !== undefined) {
      const metrics = await startMetricsServer(
        app,
        config.METRICS_HOST,
        config.METRICS_PORT,
        readHealthMetrics(context, files),
      )
      work.push({ stop: () => metrics.close() })
    }
    await listen(app, { host: config.HOST, port: config.PORT })
    const { port } = app.server.address() as AddressInfo
    const host = config.HOST.includes(':') ? `[${config.HOST}]` : config.HOST
    return { app, context, url: `http://${host}:${port}`, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
