import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { LIVE_HEARTBEAT_S, LIVE_PATH } from '#contract/live.ts'
import { Notification } from '#contract/notifications.ts'
import type { AppContext } from '../context.ts'
import { createBatcher } from '../db/batcher.ts'
import type { Actor } from '../http/actor.ts'
import { LIMITS } from '../limits/limits.ts'
import { scaleLimit } from '../limits/rate-limiter.ts'
import { describeError } from '../log/safe-error.ts'
import { Refusal, refuse } from '../refusal.ts'
import { findNotificationStates, listNotificationsAfter, type NotificationState } from './queries.ts'
import { startTimerWheel, type TimerWheel } from './timer-wheel.ts'

/**
 * At every second heartbeat a stream asks whether its session still holds: tokens expire, a suspension begins, a hint may
 * be lost.
 */
const HEARTBEATS_PER_SESSION_CHECK = 2
/** Bytes a reader may leave unread before it is cut off; it comes back and resumes. */
const MAX_BACKLOG_BYTES = 256 * 1024
const ROWS_PER_READ = 100
const MAX_STATES_PER_QUERY = 100
const RETRY_MS = 1_000
/** What an ended stream may take to reach a reader that reads slowly; then it is cut off. */
const END_TIMEOUT_MS = 2_000

/** What the streams of a process share: one clock, and one question to the database for all who ask at once. */
type StreamContext = {
  app: FastifyInstance
  context: AppContext
  timerWheel: TimerWheel
  getNotificationState: (userId: string) => Promise<NotificationState>
  /** Told how every reading went. Says it in the log when readings begin to fail, and not for every stream. */
  reportReadResult(error: unknown): void
}

/**
 * `GET /api/live`: server-sent events (WHATWG HTML §9.2). Events `notification` carry the row and its number as id;
 * a stream that comes back with `Last-Event-ID` gets everything after it. Events `unread` carry `{count}`. Hints only
 * wake the stream: what it sends it reads from the database, so a lost hint costs seconds and never an event.
 */
export function registerEventStream(app: FastifyInstance, context: AppContext) {
  const openReplies = new Map<string, Set<FastifyReply>>()
  const timerWheel = startTimerWheel(LIVE_HEARTBEAT_S)
  const getNotificationState = createBatcher<string, NotificationState>(
    (ids) => findNotificationStates(context.db, ids),
    MAX_STATES_PER_QUERY,
  )
  const shared: StreamContext = {
    app,
    context,
    timerWheel,
    getNotificationState,
    reportReadResult: makeReadReporter(context),
  }
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
      const userReplies = openReplies.get(userId) ?? new Set()
      const maxStreams = scaleLimit(LIMITS.liveStreams.max, context.config)
      if (userReplies.size >= maxStreams) refuse('too_many_requests', { retryAfterS: 30 })
      // taken before anything is awaited, so that who opens many at once gets no more than the others
      userReplies.add(reply)
      openReplies.set(userId, userReplies)
      reply.raw.once('close', () => {
        userReplies.delete(reply)
        if (userReplies.size === 0) openReplies.delete(userId)
      })
      const from = resumePoint(request, await getNotificationState(userId))
      if (reply.raw.destroyed) return void reply.hijack()
      startStream(shared, request, reply, actor, from)
    },
  )
  app.addHook('preClose', async () => {
    timerWheel.stop()
    // an open stream would keep a graceful stop waiting
    for (const replies of openReplies.values()) for (const reply of replies) endStream(reply.raw)
  })
}

/** Ends a stream, also under a reader that does not read: one that never ends would hold up a graceful stop. */
function endStream(out: FastifyReply['raw']) {
  out.end()
  setTimeout(() => out.destroy(), END_TIMEOUT_MS).unref()
}

function resumePoint(request: FastifyRequest, { last_number: newest }: NotificationState): string {
  const header = request.headers['last-event-id']
  // a number from the future is of another database: start from now
  if (typeof header === 'string' && /^\d{1,18}$/.test(header) && BigInt(header) <= BigInt(newest)) return header
  return newest
}

function makeReadReporter({ log }: AppContext): StreamContext['reportReadResult'] {
  let failing = false
  return (error) => {
    if (error && !failing) log.warn({ fault: describeError(error) }, 'live streams cannot read what is new')
    failing = Boolean(error)
  }
}

/** Only an answer about the session ends a stream; none, because the database is away or busy, says nothing about it. */
const isSessionEnded = (error: unknown) =>
  error instanceof Refusal && ['signed_out', 'session_ended'].includes(error.code)

function startStream(
  { app, context: { db, live }, timerWheel, getNotificationState, reportReadResult }: StreamContext,
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
  let isReading = false
  let hasMoreNews = false
  let heartbeats = 0

  // writing to an ended response is an error event, which nobody handles and which would end the process
  const isClosed = () => out.destroyed || out.writableEnded

  const write = (text: string) => {
    if (isClosed()) return
    if (out.writableLength > MAX_BACKLOG_BYTES) out.destroy()
    else out.write(text)
  }

  /** Sends what came after `sentTo`, page by page, at least up to a number known to be written. */
  const sendUpTo = async (last: string) => {
    while (BigInt(sentTo) < BigInt(last) && !isClosed()) {
      const rows = await listNotificationsAfter(db, userId, sentTo, ROWS_PER_READ)
      for (const row of rows) {
        write(`id: ${row.number}\nevent: notification\ndata: ${JSON.stringify(z.parse(Notification, row))}\n\n`)
        sentTo = row.number
      }
      // numbers are given in the order of commits (decision 0005): what is missing up to `last` was deleted or never used
      if (rows.length < ROWS_PER_READ && BigInt(sentTo) < BigInt(last)) sentTo = last
    }
  }

  const sendUpdates = async () => {
    if (isClosed()) return
    if (isReading) {
      hasMoreNews = true // news during the reading: read once more afterwards
      return
    }
    isReading = true
    try {
      do {
        hasMoreNews = false
        const { last_number, unread } = await getNotificationState(userId)
        await sendUpTo(last_number)
        if (unread !== sentCount) write(`event: unread\ndata: ${JSON.stringify({ count: unread })}\n\n`)
        sentCount = unread
      } while (hasMoreNews && !isClosed())
      reportReadResult(null)
    } catch (error) {
      reportReadResult(error) // the next heartbeat reads it, or the hint that the database is back
    } finally {
      isReading = false
    }
  }

  const checkSession = async () => {
    if (isClosed()) return
    try {
      const actor = await app.authenticate(request)
      // opened with other rights than these: it comes back with the present ones
      if (actor.isAdmin !== isAdmin) endStream(out)
    } catch (error) {
      if (isSessionEnded(error)) endStream(out)
    }
  }

  const unsubscribe = live.subscribe(userId, {
    onUpdate: () => void sendUpdates(),
    onSessionChange: () => void checkSession(),
  })
  const stopHeartbeat = timerWheel.add(() => {
    write(': still here\n\n')
    void sendUpdates() // makes up for a lost hint
    if (++heartbeats % HEARTBEATS_PER_SESSION_CHECK === 0) void checkSession()
  })
  out.once('close', () => {
    unsubscribe()
    stopHeartbeat()
  })
  void sendUpdates()
  void checkSession() // it may have ended before the stream began to listen
}
