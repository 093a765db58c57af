import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { LIVE_HEARTBEAT_S, LIVE_PATH } from '#contract/live.ts'
import { Notification } from '#contract/notifications.ts'
import { batcher } from '../db/batcher.ts'
import type { Actor } from '../http/actor.ts'
import { faultOf } from '../http/errors.ts'
import { scaled } from '../http/rate-limit.ts'
import { LIMITS } from '../limits.ts'
import type { Parts } from '../parts.ts'
import { Refusal, refuse } from '../refusal.ts'
import { findStandings, notificationsAfter, type Standing } from './queries.ts'
import { startWheel, type Wheel } from './wheel.ts'

/**
 * At every second heartbeat a stream asks whether its session still holds: tokens expire, a suspension begins, a hint may
 * be lost.
 */
const BEATS_A_SESSION_CHECK = 2
/** Bytes a reader may leave unread before it is cut off; it comes back and resumes. */
const BACKLOG_MAX_BYTES = 256 * 1024
const ROWS_AT_ONCE = 100
const STANDINGS_A_STATEMENT = 100
const RETRY_MS = 1_000
/** What an ended stream may take to reach a reader that reads slowly; then it is cut off. */
const END_WITHIN_MS = 2_000

/** What the streams of a process share: one clock, and one question to the database for all who ask at once. */
type Shared = {
  app: FastifyInstance
  parts: Parts
  wheel: Wheel
  standingOf: (userId: string) => Promise<Standing>
  /** Told how every reading went. Says it in the log when readings begin to fail, and not for every stream. */
  went(error: unknown): void
}

/**
 * `GET /api/live`: server-sent events (WHATWG HTML §9.2). Events `notification` carry the row and its number as id;
 * a stream that comes back with `Last-Event-ID` gets everything after it. Events `unread` carry `{count}`. Hints only
 * wake the stream: what it sends it reads from the database, so a lost hint costs seconds and never an event.
 */
export function liveRoute(app: FastifyInstance, parts: Parts) {
  const open = new Map<string, Set<FastifyReply>>()
  const wheel = startWheel(LIVE_HEARTBEAT_S)
  const standingOf = batcher<string, Standing>((ids) => findStandings(parts.db, ids), STANDINGS_A_STATEMENT)
  const shared: Shared = { app, parts, wheel, standingOf, went: reporter(parts) }
  app.get(
    LIVE_PATH,
    {
      onRequest: async (request) => {
        request.actor = await app.authenticate(request)
      },
    },
    async (request, reply) => {
      const actor = request.actor ?? refuse('signed_out')
      const userId = actor.id
      // gone while the bearer was checked: 'close' has passed and will not come again
      if (reply.raw.destroyed) return void reply.hijack()
      const mine = open.get(userId) ?? new Set()
      const most = scaled(LIMITS.liveStreams.most, parts.config)
      if (mine.size >= most) refuse('too_many_requests', { retryAfterS: 30 })
      // taken before anything is awaited, so that who opens many at once gets no more than the others
      mine.add(reply)
      open.set(userId, mine)
      reply.raw.once('close', () => {
        mine.delete(reply)
        if (mine.size === 0) open.delete(userId)
      })
      const from = resumePoint(request, await standingOf(userId))
      if (reply.raw.destroyed) return void reply.hijack()
      stream(shared, request, reply, actor, from)
    },
  )
  app.addHook('preClose', async () => {
    wheel.stop()
    // an open stream would keep a graceful stop waiting
    for (const replies of open.values()) for (const reply of replies) endStream(reply.raw)
  })
}

/** Ends a stream, also under a reader that does not read: one that never ends would hold up a graceful stop. */
function endStream(out: FastifyReply['raw']) {
  out.end()
  setTimeout(() => out.destroy(), END_WITHIN_MS).unref()
}

function resumePoint(request: FastifyRequest, { last_number: newest }: Standing): string {
  const header = request.headers['last-event-id']
  // a number from the future is of another database: start from now
  if (typeof header === 'string' && /^\d{1,18}$/.test(header) && BigInt(header) <= BigInt(newest)) return header
  return newest
}

function reporter({ log }: Parts): Shared['went'] {
  let failing = false
  return (error) => {
    if (error && !failing) log.warn({ fault: faultOf(error) }, 'live streams cannot read what is new')
    failing = Boolean(error)
  }
}

/** Only an answer about the session ends a stream; none, because the database is away or busy, says nothing about it. */
const isOver = (error: unknown) => error instanceof Refusal && ['signed_out', 'session_ended'].includes(error.code)

function stream(
  { app, parts: { db, live }, wheel, standingOf, went }: Shared,
  request: FastifyRequest,
  reply: FastifyReply,
  { id: userId, isAdmin }: Actor,
  from: string,
) {
  reply.hijack()
  const out = reply.raw
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) out.setHeader(name, value)
  out.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
  })
  out.write(`retry: ${RETRY_MS}\n\n`)

  let sentTo = from
  let sentCount = -1
  let busy = false
  let again = false
  let beats = 0

  // writing to an ended response is an error event, which nobody handles and which would end the process
  const hasEnded = () => out.destroyed || out.writableEnded

  const write = (text: string) => {
    if (hasEnded()) return
    if (out.writableLength > BACKLOG_MAX_BYTES) out.destroy()
    else out.write(text)
  }

  /** Sends what came after `sentTo`, page by page, at least up to a number known to be written. */
  const sendUpTo = async (last: string) => {
    while (BigInt(sentTo) < BigInt(last) && !hasEnded()) {
      const rows = await notificationsAfter(db, userId, sentTo, ROWS_AT_ONCE)
      for (const row of rows) {
        write(`id: ${row.number}\nevent: notification\ndata: ${JSON.stringify(z.parse(Notification, row))}\n\n`)
        sentTo = row.number
      }
      // numbers are given in the order of commits (decision 0005): what is missing up to `last` was deleted or never used
      if (rows.length < ROWS_AT_ONCE && BigInt(sentTo) < BigInt(last)) sentTo = last
    }
  }

  const sendNews = async () => {
    if (hasEnded()) return
    if (busy) {
      again = true // news during the reading: read once more afterwards
      return
    }
    busy = true
    try {
      do {
        again = false
        const { last_number, unread } = await standingOf(userId)
        await sendUpTo(last_number)
        if (unread !== sentCount) write(`event: unread\ndata: ${JSON.stringify({ count: unread })}\n\n`)
        sentCount = unread
      } while (again && !hasEnded())
      went(null)
    } catch (error) {
      went(error) // the next heartbeat reads it, or the hint that the database is back
    } finally {
      busy = false
    }
  }

  const checkSession = async () => {
    if (hasEnded()) return
    try {
      const actor = await app.authenticate(request)
      // opened with other rights than these: it comes back with the present ones
      if (actor.isAdmin !== isAdmin) endStream(out)
    } catch (error) {
      if (isOver(error)) endStream(out)
    }
  }

  const unsubscribe = live.subscribe(userId, {
    onNews: () => void sendNews(),
    onSessions: () => void checkSession(),
  })
  const leaveWheel = wheel.join(() => {
    write(': still here\n\n')
    void sendNews() // makes up for a lost hint
    if (++beats % BEATS_A_SESSION_CHECK === 0) void checkSession()
  })
  out.once('close', () => {
    unsubscribe()
    leaveWheel()
  })
  void sendNews()
  void checkSession() // it may have ended before the stream began to listen
}
