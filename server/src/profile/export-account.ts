import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { exportData } from '#contract/profile.ts'
import { assertFreshSession } from '../auth/sessions.ts'
import { findUser } from '../auth/user-queries.ts'
import type { AppContext } from '../context.ts'
import { decryptContextFor } from '../http/decrypt-context.ts'
import { downloadRoute } from '../http/route.ts'
import { enforceLimit } from '../limits/enforce-limit.ts'
import { createFairQueue } from '../limits/fair-queue.ts'
import { userLimitKey } from '../limits/rate-limiter.ts'
import { describeError } from '../log/safe-error.ts'
import { Refusal, refuse } from '../refusal.ts'
import { MINUTE_MS, SECOND_MS } from '../time.ts'
import { streamExportJson } from './export-json.ts'

/** Exports may use one in so many database connections at a time. */
const CONNECTIONS_PER_EXPORT = 4
/** Limits the exports that are downloaded, of each of which a page is in memory. */
const MAX_EXPORTS = 64
const EXPORT_TIMEOUTS = {
  /** How long a download may take in all … */
  totalMs: 10 * MINUTE_MS,
  /** … and how long it may stand still. */
  idleMs: 30 * SECOND_MS,
}

/**
 * Registers `GET /api/export`: everything stored about the person as one download (decision http-interface, `docs/export.md`). It is
 * read page by page, as fast as the client takes it: a patient reader occupies no database connection and keeps nobody else
 * waiting.
 *
 * The download is cut off, so that it cannot look complete, when something fails, when its session ends and when the client
 * is too slow.
 *
 * Refuses with `sign_in_again`, `too_many_requests`, `busy`.
 */
export function exportRoute(app: FastifyInstance, context: AppContext, { totalMs, idleMs } = EXPORT_TIMEOUTS) {
  const { config, db, keyring, log } = context
  const readInTurn = createFairQueue(Math.max(1, Math.floor(config.DATABASE_POOL / CONNECTIONS_PER_EXPORT)))
  const running = new Map<string, AbortController>()
  app.addHook('preClose', async () => {
    for (const ended of running.values()) ended.abort()
  })

  downloadRoute(
    app,
    exportData,
    async (_, actor, { request, reply }) => {
      await assertFreshSession(db, actor)
      const user = (await findUser(db, actor.id)) ?? refuse('session_ended')
      if (running.has(actor.id)) refuse('too_many_requests', { retryAfterS: 10 })
      if (running.size >= MAX_EXPORTS) refuse('busy', { retryAfterS: 10 })
      const ended = new AbortController()
      const { signal } = ended
      const cutOff = () => ended.abort()
      const deadline = setTimeout(cutOff, totalMs)
      const release = () => {
        clearTimeout(deadline)
        running.delete(actor.id)
      }
      running.set(actor.id, ended)
      reply.raw.once('close', cutOff)
      try {
        await enforceLimit(db, config, 'exportsPerHour', userLimitKey(keyring, 'export', actor.id))
        const source = { db, decryptContext: decryptContextFor(context, request), publicUrl: config.PUBLIC_URL }
        const chunks = streamExportJson(source, user, async (read) => {
          const page = await readInTurn(actor.id, () => (signal.aborted ? refuse('busy', { retryAfterS: 10 }) : read()))
          // afterwards: lists of an account that has gone meanwhile are empty
          await app.authenticate(request, { admitSuspended: true })
          return page
        })
        // before the headers: what refuses it then is still an answer of its own
        const first = await chunks.next()
        const download = Readable.from(untilStalled(first, chunks, idleMs, cutOff), { signal })
        download.once('close', release)
        download.once('error', (error) => {
          // one whose session or client is gone is cut off too
          if (!(error instanceof Refusal || signal.aborted))
            log.warn({ error: describeError(error), reqId: request.id }, 'an export was cut off')
        })
        const day = new Date().toISOString().slice(0, 10)
        reply.type('application/json; charset=utf-8')
        reply.header('content-disposition', `attachment; filename="platenote-export-${day}.json"`)
        return download
      } catch (error) {
        release()
        throw error
      }
    },
    { admitSuspended: true },
  )
}

/** Yields chunks, the first of which is there already. Says when nobody has asked for the next one for so long. */
async function* untilStalled(
  first: IteratorResult<string, void>,
  chunks: AsyncGenerator<string, void>,
  idleMs: number,
  onStall: () => void,
): AsyncGenerator<string> {
  for (let chunk = first; !chunk.done; chunk = await chunks.next()) {
    const timer = setTimeout(onStall, idleMs)
    try {
      yield chunk.value
    } finally {
      clearTimeout(timer)
    }
  }
}
