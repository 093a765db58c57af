import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FastifyInstance } from 'fastify'
import { exportData, FRESH_SESSION_S } from '#contract/profile.ts'
import { findSessionAmr } from '../auth/session-queries.ts'
import { isRecentlyAuthenticated } from '../auth/tokens.ts'
import { findUser } from '../auth/user-queries.ts'
import type { AppContext } from '../context.ts'
import type { Pool } from '../db/pool.ts'
import { type DecryptContext, decryptContextFor } from '../encryption/decrypt-for-display.ts'
import type { Actor } from '../http/actor.ts'
import { describeError } from '../http/errors.ts'
import { downloadRoute } from '../http/route.ts'
import { LIMITS } from '../limits/limits.ts'
import { consume, scaleLimit, userLimitKey } from '../limits/rate-limiter.ts'
import { Refusal, refuse } from '../refusal.ts'
import { streamExportJson } from './export-json.ts'

/** Of all connections to the database: an export holds one until its reader has read it. */
const POOL_SHARE = 4
const EXPORT_TIMEOUTS = {
  /** A reader may hold an export this long in all … */
  totalMs: 10 * 60_000,
  /** … and this long without taking anything. */
  idleMs: 30_000,
  /** So soon it is noticed that its session has ended. */
  sessionCheckMs: 2_000,
}

/**
 * `GET /api/export`: everything kept about the person as one download (decision 0031, `docs/export.md`), of one moment. It
 * is cut off, and so cannot look whole, when something fails, when its session ends and when its reader is too slow.
 *
 * Refuses with `sign_in_again`, `too_many_requests`, `busy`.
 */
export function exportRoute(
  app: FastifyInstance,
  context: AppContext,
  { totalMs, idleMs, sessionCheckMs } = EXPORT_TIMEOUTS,
) {
  const { config, db, keyring, log } = context
  const maxConcurrent = Math.max(1, Math.floor(config.DATABASE_POOL / POOL_SHARE))
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
      const { max, windowS } = LIMITS.exportsPerHour
      const key = userLimitKey(keyring, 'export', actor.id)
      const { allowed, retryAfterS } = await consume(db, key, scaleLimit(max, config), windowS)
      if (!allowed) refuse('too_many_requests', { retryAfterS })
      const checkSession = throttle(sessionCheckMs, async () => void (await app.authenticate(request)))
      const started = Promise.withResolvers<void>()
      const writing = writeExport(
        context,
        decryptContextFor(context, request),
        actor.id,
        download,
        idleMs,
        checkSession,
        started.resolve,
      )
      writing.catch((error: unknown) => {
        if (!isExpectedEnd(error))
          log.warn({ fault: describeError(error), reqId: request.id }, 'an export was broken off')
      })
      // until the first part could be read a fault is an ordinary answer, later it cuts the download off
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

/** The reader left, or was let go, or its session ended. */
const isExpectedEnd = (error: unknown) =>
  error instanceof Refusal || (error as { code?: unknown }).code === 'ERR_STREAM_PREMATURE_CLOSE'

/** An open browser must not give everything away: the password or a mailed link was used a short while ago. */
async function assertFreshSession(db: Pool, { sessionId }: Actor): Promise<void> {
  if (!isRecentlyAuthenticated(await findSessionAmr(db, sessionId), FRESH_SESSION_S)) refuse('sign_in_again')
}

/** @param onStarted called when the first part is there */
async function writeExport(
  { config, db }: AppContext,
  decryptContext: DecryptContext,
  userId: string,
  download: PassThrough,
  idleMs: number,
  checkSession: () => Promise<void>,
  onStarted: () => void,
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

/** Does something when it is asked to, at maxConcurrent so often. */
function throttle(ms: number, run: () => Promise<void>): () => Promise<void> {
  let nextRunAt = performance.now() + ms
  return async () => {
    if (performance.now() < nextRunAt) return
    await run()
    nextRunAt = performance.now() + ms
  }
}
