import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FastifyInstance } from 'fastify'
import { exportData, FRESH_SESSION_S } from '#contract/profile.ts'
import { findSessionAmr } from '../auth/session-queries.ts'
import { isRecentlyAuthenticated } from '../auth/tokens.ts'
import { findUser } from '../auth/user-queries.ts'
import type { AppContext } from '../context.ts'
import type { Pool } from '../db/pool.ts'
import type { DecryptContext } from '../encryption/decrypt-for-display.ts'
import type { Actor } from '../http/actor.ts'
import { decryptContextFor } from '../http/decrypt-context.ts'
import { downloadRoute } from '../http/route.ts'
import { enforceLimit } from '../limits/enforce-limit.ts'
import { userLimitKey } from '../limits/rate-limiter.ts'
import { describeError } from '../log/safe-error.ts'
import { Refusal, refuse } from '../refusal.ts'
import { MINUTE_MS, SECOND_MS } from '../time.ts'
import { streamExportJson } from './export-json.ts'

/** Exports may use one in so many database connections: each occupies one until it is downloaded. */
const CONNECTIONS_PER_EXPORT = 4
const EXPORT_TIMEOUTS = {
  /** How long a download may take in all … */
  totalMs: 10 * MINUTE_MS,
  /** … and how long it may stand still. */
  idleMs: 30 * SECOND_MS,
  /** How often it is checked that the session still exists. */
  sessionCheckMs: 2 * SECOND_MS,
}

/**
 * Registers `GET /api/export`: everything stored about the person as one download (decision 0031, `docs/export.md`), as
 * of one moment. It is cut off, so that it cannot look complete, when something fails, when its session ends and when
 * the client is too slow.
 *
 * Refuses with `sign_in_again`, `too_many_requests`, `busy`.
 */
export function exportRoute(
  app: FastifyInstance,
  context: AppContext,
  { totalMs, idleMs, sessionCheckMs } = EXPORT_TIMEOUTS,
) {
  const { config, db, keyring, log } = context
  const maxConcurrent = Math.max(1, Math.floor(config.DATABASE_POOL / CONNECTIONS_PER_EXPORT))
  const running = new Map<string, PassThrough>()
  app.addHook('preClose', async () => {
    for (const download of running.values()) download.destroy()
  })

  downloadRoute(app, exportData, async (_, actor, { request, reply }) => {
    await assertFreshSession(db, actor)
    if (running.has(actor.id)) refuse('too_many_requests', { retryAfterS: 10 })
    if (running.size >= maxConcurrent) refuse('busy', { retryAfterS: 10 })
    const download = new PassThrough()
    const deadline = setTimeout(() => download.destroy(), totalMs)
    running.set(actor.id, download)
    download.once('close', () => {
      clearTimeout(deadline)
      running.delete(actor.id)
    })
    try {
      await enforceLimit(db, config, 'exportsPerHour', userLimitKey(keyring, 'export', actor.id))
      const checkSession = throttle(sessionCheckMs, async () => void (await app.authenticate(request)))
      const started = Promise.withResolvers<void>()
      const writing = writeExport(context, download, {
        userId: actor.id,
        decryptContext: decryptContextFor(context, request),
        idleMs,
        checkSession,
        onStarted: started.resolve,
      })
      writing.catch((error: unknown) => {
        if (!isExpectedEnd(error)) log.warn({ fault: describeError(error), reqId: request.id }, 'an export was cut off')
      })
      // an error is an ordinary response until the first chunk has been read; later it cuts the download off
      await Promise.race([started.promise, writing])
    } catch (error) {
      download.destroy()
      throw error
    }
    const day = new Date().toISOString().slice(0, 10)
    reply.type('application/json; charset=utf-8')
    reply.header('content-disposition', `attachment; filename="platenote-export-${day}.json"`)
    return download
  })
}

/** Tells whether a download ended because its client left or was cut off, or because its session ended. */
const isExpectedEnd = (error: unknown) =>
  error instanceof Refusal || (error as { code?: unknown }).code === 'ERR_STREAM_PREMATURE_CLOSE'

/**
 * Refuses a session that did not begin recently, by password or link: an unattended browser must not reveal everything.
 */
async function assertFreshSession(db: Pool, { sessionId }: Actor): Promise<void> {
  if (!isRecentlyAuthenticated(await findSessionAmr(db, sessionId), FRESH_SESSION_S)) refuse('sign_in_again')
}

type ExportOptions = {
  userId: string
  decryptContext: DecryptContext
  idleMs: number
  checkSession: () => Promise<void>
  /** Called once the first chunk has been read. */
  onStarted: () => void
}

/** Writes an export in one transaction, until it is complete, its session has ended or its client stalls. */
async function writeExport(
  { config, db }: AppContext,
  download: PassThrough,
  { userId, decryptContext, idleMs, checkSession, onStarted }: ExportOptions,
): Promise<void> {
  await db.begin('isolation level repeatable read read only', async (tx) => {
    const user = (await findUser(tx, userId)) ?? refuse('session_ended')
    const chunks = streamExportJson({ db: tx, decryptContext, publicUrl: config.PUBLIC_URL }, user, checkSession)
    const idleTimer = setTimeout(() => download.destroy(), idleMs)
    try {
      await pipeline(
        chunks,
        async function* (source: AsyncIterable<string>) {
          for await (const chunk of source) {
            onStarted()
            idleTimer.refresh()
            yield chunk
          }
        },
        download,
      )
    } finally {
      clearTimeout(idleTimer)
    }
  })
}

/** Limits how often something runs: calls within `ms` of the last run do nothing. */
function throttle(ms: number, run: () => Promise<void>): () => Promise<void> {
  let nextRunAt = performance.now() + ms
  return async () => {
    if (performance.now() < nextRunAt) return
    await run()
    nextRunAt = performance.now() + ms
  }
}
