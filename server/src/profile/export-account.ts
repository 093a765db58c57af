import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { mkdir, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough, type Readable } from 'node:stream'
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
import { createFairQueue } from '../limits/fair-queue.ts'
import { userLimitKey } from '../limits/rate-limiter.ts'
import { describeError } from '../log/safe-error.ts'
import { Refusal, refuse } from '../refusal.ts'
import { MINUTE_MS, SECOND_MS } from '../time.ts'
import { streamExportJson } from './export-json.ts'

const CIPHER = 'aes-256-gcm'

/** A text on disk that only this process can read, and only once. Its holder has to read or close it. */
type SpoolFile = {
  bytes: number
  /** Returns the text and gives the file up: its space is free once the stream is closed. */
  read(): Readable
  /** Gives the file up unread. One that is left to the garbage collector ends the process. */
  close(): Promise<void>
}

/**
 * Writes a text to a temporary file, encrypted with a key that is never stored. The file has no name any more when it is
 * written, so that nothing is left of it when the process ends, however it ends.
 *
 * @param folder created when it is not there
 * @param signal gives up
 */
async function writeSpoolFile(folder: string, chunks: AsyncIterable<string>, signal: AbortSignal): Promise<SpoolFile> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, randomBytes(16).toString('hex'))
  const file = await open(path, 'wx+', 0o600)
  try {
    await unlink(path)
    const [key, nonce] = [randomBytes(32), randomBytes(12)]
    const cipher = createCipheriv(CIPHER, key, nonce)
    const write = async (encrypted: AsyncIterable<Buffer>) => {
      for await (const chunk of encrypted) await file.writeFile(chunk)
    }
    await pipeline(chunks, cipher, write, { signal })
    const { size: bytes } = await file.stat()
    const decipher = createDecipheriv(CIPHER, key, nonce).setAuthTag(cipher.getAuthTag())
    return {
      bytes,
      read() {
        const encrypted = file.createReadStream({ start: 0 })
        // either of the two takes the other with it
        encrypted.on('error', (error) => decipher.destroy(error))
        decipher.once('close', () => encrypted.destroy())
        return encrypted.pipe(decipher)
      },
      close: () => file.close(),
    }
  } catch (error) {
    await file.close()
    throw error
  }
}

/**
 * Refuses with `sign_in_again` a session that did not begin recently, by password or link: an unattended browser must
 * neither reveal everything nor delete it.
 */
export async function assertFreshSession(db: Pool, { sessionId }: Actor): Promise<void> {
  const amr = await findSessionAmr(db, sessionId)
  // every session has an entry: this one ended, or its account was deleted, while the request was on its way
  if (amr.length === 0) refuse('session_ended')
  if (!isRecentlyAuthenticated(amr, FRESH_SESSION_S)) refuse('sign_in_again')
}

/** Exports may use one in so many database connections while they are written. */
const CONNECTIONS_PER_EXPORT = 4
/** Limits the exports that are written or downloaded, and what all of them take on the disk. */
const MAX_EXPORTS = 64
const MAX_SPOOLED_BYTES = 2 * 1024 ** 3
const EXPORT_TIMEOUTS = {
  /** How long an export may wait for its turn and be written … */
  writeMs: 5 * MINUTE_MS,
  /** … how long its download may take in all … */
  totalMs: 10 * MINUTE_MS,
  /** … and how long that may stand still. */
  idleMs: 30 * SECOND_MS,
  /** How often it is checked that the session still exists. */
  sessionCheckMs: 2 * SECOND_MS,
}

/**
 * Registers `GET /api/export`: everything stored about the person as one download (decision http-interface, `docs/export.md`), as
 * of one moment. It is first written to a temporary file, as fast as the database gives it, and then downloaded as slowly as
 * the client likes: a patient reader occupies no database connection and keeps nobody else waiting (decision overload-protection).
 *
 * The download is cut off, so that it cannot look complete, when something fails, when its session ends and when the client
 * is too slow.
 *
 * Refuses with `sign_in_again`, `too_many_requests`, `busy`.
 */
export function exportRoute(
  app: FastifyInstance,
  context: AppContext,
  { writeMs, totalMs, idleMs, sessionCheckMs } = EXPORT_TIMEOUTS,
) {
  const { config, db, keyring, log } = context
  const writeInTurn = createFairQueue(Math.max(1, Math.floor(config.DATABASE_POOL / CONNECTIONS_PER_EXPORT)))
  const running = new Map<string, AbortController>()
  let spooledBytes = 0
  app.addHook('preClose', async () => {
    for (const ended of running.values()) ended.abort()
  })

  downloadRoute(
    app,
    exportData,
    async (_, actor, { request, reply }) => {
      await assertFreshSession(db, actor)
      if (running.has(actor.id)) refuse('too_many_requests', { retryAfterS: 10 })
      if (running.size >= MAX_EXPORTS || spooledBytes >= MAX_SPOOLED_BYTES) refuse('busy', { retryAfterS: 10 })
      const ended = new AbortController()
      const { signal } = ended
      running.set(actor.id, ended)
      reply.raw.once('close', () => ended.abort())
      const deadline = setTimeout(() => ended.abort(), writeMs)
      try {
        await enforceLimit(db, config, 'exportsPerHour', userLimitKey(keyring, 'export', actor.id))
        const checkSession = throttle(
          sessionCheckMs,
          async () => void (await app.authenticate(request, { admitSuspended: true })),
        )
        const decryptContext = decryptContextFor(context, request)
        const file = await writeInTurn(actor.id, () =>
          writeExport(context, { userId: actor.id, decryptContext, checkSession, signal }),
        ).catch((error: unknown) => (signal.aborted ? refuse('busy', { retryAfterS: 10 }) : Promise.reject(error)))
        spooledBytes += file.bytes
        const download = startDownload(file, { totalMs, idleMs, checkSession, signal, onError })
        download.once('close', () => {
          spooledBytes -= file.bytes
          running.delete(actor.id)
        })
        const day = new Date().toISOString().slice(0, 10)
        reply.type('application/json; charset=utf-8')
        reply.header('content-disposition', `attachment; filename="platenote-export-${day}.json"`)
        return download
      } catch (error) {
        running.delete(actor.id)
        throw error
      } finally {
        clearTimeout(deadline)
      }

      function onError(error: unknown) {
        if (!isExpectedEnd(error)) log.warn({ error: describeError(error), reqId: request.id }, 'an export was cut off')
      }
    },
    { admitSuspended: true },
  )
}

/** Returns whether a download ended because its client left or was cut off, or because its session ended. */
const isExpectedEnd = (error: unknown) =>
  error instanceof Refusal || (error as { code?: unknown }).code === 'ERR_STREAM_PREMATURE_CLOSE'

type WriteOptions = {
  userId: string
  decryptContext: DecryptContext
  checkSession: () => Promise<void>
  signal: AbortSignal
}

/** Writes an export to a temporary file, in one transaction. */
async function writeExport(
  { config, db }: AppContext,
  { userId, decryptContext, checkSession, signal }: WriteOptions,
): Promise<SpoolFile> {
  signal.throwIfAborted() // perhaps while it waited for its turn
  let file: SpoolFile | undefined
  try {
    return await db.begin('isolation level repeatable read read only', async (tx) => {
      const user = (await findUser(tx, userId)) ?? refuse('session_ended')
      const chunks = streamExportJson({ db: tx, decryptContext, publicUrl: config.PUBLIC_URL }, user, checkSession)
      file = await writeSpoolFile(join(config.DATA_DIR, 'exports'), chunks, signal)
      return file
    })
  } catch (error) {
    await file?.close() // the transaction failed after all
    throw error
  }
}

type DownloadOptions = {
  totalMs: number
  idleMs: number
  checkSession: () => Promise<void>
  signal: AbortSignal
  /** Called when the download ends before it is complete. */
  onError: (error: unknown) => void
}

/** Streams a written export until it is complete, its session has ended, or its client is gone or too slow. */
function startDownload(
  file: SpoolFile,
  { totalMs, idleMs, checkSession, signal, onError }: DownloadOptions,
): PassThrough {
  const download = new PassThrough()
  const cutOff = () => void download.destroy()
  const timers = [setTimeout(cutOff, totalMs), setTimeout(cutOff, idleMs)] as const
  signal.addEventListener('abort', cutOff)
  if (signal.aborted) cutOff()
  download.once('close', () => {
    for (const timer of timers) clearTimeout(timer)
    signal.removeEventListener('abort', cutOff)
  })
  pipeline(
    file.read(),
    async function* (source: AsyncIterable<Buffer>) {
      for await (const chunk of source) {
        await checkSession()
        timers[1].refresh()
        yield chunk
      }
    },
    download,
  ).catch(onError)
  return download
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
