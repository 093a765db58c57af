import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FastifyInstance } from 'fastify'
import { exportData, FRESH_SESSION_S } from '#contract/accounts.ts'
import { findSessionAmr, findUser } from '../auth/queries.ts'
import type { Pool } from '../db/pool.ts'
import type { Actor } from '../http/actor.ts'
import { faultOf } from '../http/errors.ts'
import { countAgainst, personKey, scaled } from '../http/rate-limit.ts'
import { downloadRoute } from '../http/route.ts'
import { LIMITS } from '../limits.ts'
import type { Parts } from '../parts.ts'
import { Refusal, refuse } from '../refusal.ts'
import { type Reader, readerOf } from '../sealing/show-text.ts'
import { exportText } from './export-text.ts'

/** Of all connections to the database: an export holds one until its reader has read it. */
const SHARE_OF_CONNECTIONS = 4
const PATIENCE = {
  /** A reader may hold an export this long in all … */
  withinMs: 10 * 60_000,
  /** … and this long without taking anything. */
  stalledMs: 30_000,
  /** So soon it is noticed that its session has ended. */
  askEveryMs: 2_000,
}

/**
 * `GET /api/export`: everything kept about the person as one download (design §3, `docs/export.md`), of one moment. It
 * is cut off, and so cannot look whole, when something fails, when its session ends and when its reader is too slow.
 *
 * Refuses with `sign_in_again`, `too_many_requests`, `busy`.
 */
export function exportRoute(app: FastifyInstance, parts: Parts, { withinMs, stalledMs, askEveryMs } = PATIENCE) {
  const { config, db, keyring, log } = parts
  const most = Math.max(1, Math.floor(config.DATABASE_POOL / SHARE_OF_CONNECTIONS))
  const running = new Map<string, PassThrough>()
  app.addHook('preClose', async () => {
    for (const download of running.values()) download.destroy()
  })

  downloadRoute(app, exportData, async (_, actor, { request, reply }) => {
    await assertFresh(db, actor)
    if (running.has(actor.id)) refuse('too_many_requests', { retryAfterS: 10 })
    if (running.size >= most) refuse('busy', { retryAfterS: 10 })
    const download = new PassThrough()
    const late = setTimeout(() => download.destroy(), withinMs)
    running.set(actor.id, download)
    download.once('close', () => {
      clearTimeout(late)
      running.delete(actor.id)
    })
    try {
      const { most, windowS } = LIMITS.exportsAnHour
      const key = personKey(keyring, 'export', actor.id)
      const { allowed, retryAfterS } = await countAgainst(db, key, scaled(most, config), windowS)
      if (!allowed) refuse('too_many_requests', { retryAfterS })
      const proceed = every(askEveryMs, async () => void (await app.authenticate(request)))
      const begun = Promise.withResolvers<void>()
      const written = writeExport(
        parts,
        readerOf(parts, request),
        actor.id,
        download,
        stalledMs,
        proceed,
        begun.resolve,
      )
      written.catch((error: unknown) => {
        if (!isOrderly(error)) log.warn({ fault: faultOf(error), reqId: request.id }, 'an export was broken off')
      })
      // until the first part could be read a fault is an ordinary answer, later it cuts the download off
      await Promise.race([begun.promise, written])
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
const isOrderly = (error: unknown) =>
  error instanceof Refusal || (error as { code?: unknown }).code === 'ERR_STREAM_PREMATURE_CLOSE'

/** An open browser must not give everything away: the password or a mailed link was used a short while ago. */
async function assertFresh(db: Pool, { sessionId }: Actor): Promise<void> {
  const since = Date.now() / 1000 - FRESH_SESSION_S
  const amr = await findSessionAmr(db, sessionId)
  if (!amr.some(({ timestamp }) => timestamp >= since)) refuse('sign_in_again')
}

/** @param onBegun called when the first part is there */
async function writeExport(
  { config, db }: Parts,
  reader: Reader,
  userId: string,
  download: PassThrough,
  stalledMs: number,
  proceed: () => Promise<void>,
  onBegun: () => void,
): Promise<void> {
  await db.begin('isolation level repeatable read read only', async (tx) => {
    const user = (await findUser(tx, userId)) ?? refuse('session_ended')
    const chunks = exportText({ db: tx, reader, publicUrl: config.PUBLIC_URL }, user, proceed)
    const stalled = setTimeout(() => download.destroy(), stalledMs)
    try {
      await pipeline(
        chunks,
        async function* (parts: AsyncIterable<string>) {
          for await (const part of parts) {
            onBegun()
            stalled.refresh()
            yield part
          }
        },
        download,
      )
    } finally {
      clearTimeout(stalled)
    }
  })
}

/** Does something when it is asked to, at most so often. */
function every(ms: number, act: () => Promise<void>): () => Promise<void> {
  let next = performance.now() + ms
  return async () => {
    if (performance.now() < next) return
    await act()
    next = performance.now() + ms
  }
}
