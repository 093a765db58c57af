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
  const running = new Map<string, Readable>()
  app.addHook('preClose', async () => {
    for (const download of running.values()) download.destroy()
  })

  downloadRoute(
    app,
    exportData,
    async (_, actor, { request, reply }) => {
      await assertFreshSession(db, actor)
      const user = (await findUser(db, actor.id)) ?? refuse('session_ended')
      if (running.has(actor.id)) refuse('too_many_requests', { retryAfterS: 10 })
      if (running.size >= MAX_EXPORTS) refuse('busy', { retryAfterS: 10 })
      const source = { db, decryptContext: decryptContextFor(context, request), publicUrl: config.PUBLIC_URL }
      const chunks = streamExportJson(source, user, async (read) => {
        const page = await readInTurn(actor.id, read)
        // afterwards: lists of an account that has gone meanwhile are empty
        await app.authenticate(request, { admitSuspended: true })
        return page
      })
      const cutOff = () => void download.destroy()
      const timers = [setTimeout(cutOff, totalMs), setTimeout(cutOff, idleMs)] as const
      const download = Readable.from(watch(chunks, () => timers[1].refresh()))
      running.set(actor.id, download)
      download.once('error', (error) => {
        // one whose session ended is cut off too
        if (!(error instanceof Refusal))
          log.warn({ error: describeError(error), reqId: request.id }, 'an export was cut off')
      })
      download.once('close', () => {
        for (const timer of timers) clearTimeout(timer)
        running.delete(actor.id)
      })
      await enforceLimit(db, config, 'exportsPerHour', userLimitKey(keyring, 'export', actor.id)).catch((error) => {
        cutOff()
        throw error
      })
      const day = new Date().toISOString().slice(0, 10)
      reply.type('application/json; charset=utf-8')
      reply.header('content-disposition', `attachment; filename="platenote-export-${day}.json"`)
      return download
    },
    { admitSuspended: true },
  )
}

/** Yields chunks, and says each time that somebody asks for the next one. */
async function* watch(chunks: AsyncIterable<string>, onNext: () => void): AsyncGenerator<string> {
  for await (const chunk of chunks) {
    onNext()
    yield chunk
  }
}
