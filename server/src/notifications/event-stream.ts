import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { LIVE_HEARTBEAT_S, Notification, openLiveStream } from '#contract/notifications.ts'
import type { AppContext } from '../context.ts'
import { createBatcher } from '../db/batcher.ts'
import type { Actor } from '../http/actor.ts'
import { drainMs } from '../http/drain.ts'
import { LIMITS } from '../limits/limits.ts'
import { scaleLimit } from '../limits/rate-limiter.ts'
import { describeError } from '../log/safe-error.ts'
import { Refusal, refuse } from '../refusal.ts'
import { SECOND_MS } from '../time.ts'
import { findNotificationStates, listNotificationsAfter, type NotificationState } from './queries.ts'

/** Checks the session at every second heartbeat: a token expires, a suspension begins, or a hint was lost. */
const HEARTBEATS_PER_SESSION_CHECK = 2
/** Disconnects a client with more unread bytes than this; it reconnects and resumes. */
const MAX_BACKLOG_BYTES = 256 * 1024
const ROWS_PER_READ = 100
const MAX_STATES_PER_QUERY = 100
const RETRY_MS = 1_000
/** A client whose stream is handed over to another process reconnects so soon. */
const HAND_OVER_RETRY_MS = 100
/** Gives a slow client this long to read the end of a stream before it is disconnected. */
const END_TIMEOUT_MS = 2_000

/** Shared by the streams of a process: one timer, and one query for all that need their state at the same moment. */
type StreamContext = {
  app: FastifyInstance
  context: AppContext
  /** Called every second with its number. */
  ticks: Set<(second: number) => void>
  getNotificationState: (userId: string) => Promise<NotificationState>
  /** Receives the outcome of every read. Logs when reads begin to fail, once instead of for every stream. */
  reportReadResult(error: unknown): void
}

/**
 * Registers `GET /api/live`: server-sent events (WHATWG HTML §9.2). `notification` events carry the row, with its
 * number as id; a stream that reconnects with `Last-Event-ID` gets everything after it. `unread` events carry
 * `{count}`, and as id the number up to which all was sent; `changed` events, without data, say that something shown was taken away, or answered elsewhere. A hint only wakes the stream, which
 * reads from the database what it sends, so that a lost hint costs seconds and never an event. Only a `changed` may be lost.
 */
export function registerEventStream(app: FastifyInstance, context: AppContext) {
  const openReplies = new Map<string, Set<FastifyReply>>()
  const ticks: StreamContext['ticks'] = new Set()
  let second = 0
  const timer = setInterval(() => {
    second++
    for (const tick of ticks) tick(second)
  }, SECOND_MS).unref()
  const getNotificationState = createBatcher<string, NotificationState>(
    (ids) => findNotificationStates(context.db, ids),
    MAX_STATES_PER_QUERY,
  )
  const shared: StreamContext = {
    app,
    context,
    ticks,
    getNotificationState,
    reportReadResult: makeReadReporter(context),
  }
  app.get(
    openLiveStream.path,
    {
      config: { endpoint: openLiveStream },
      onRequest: async (request) => {
        request.actor = await app.authenticate(request)
      },
    },
    async (request, reply) => {
      const actor = request.actor ?? refuse('signed_out')
      const userId = actor.id
      // closed while the token was checked: there will be no 'close' event
      if (reply.raw.destroyed) return void reply.hijack()
      const userReplies = openReplies.get(userId) ?? new Set()
      const maxStreams = scaleLimit(LIMITS.liveStreams.max, context.config)
      if (userReplies.size >= maxStreams) refuse('too_many_requests', { retryAfterS: 30 })
      // counted before anything is awaited, so that opening many at once does not get around the limit
      userReplies.add(reply)
      openReplies.set(userId, userReplies)
      reply.raw.once('close', () => {
        userReplies.delete(reply)
        if (userReplies.size === 0) openReplies.delete(userId)
      })
      const from = findResumeNumber(request, await getNotificationState(userId))
      // gone meanwhile, or ended because the process stops
      if (reply.raw.destroyed || reply.raw.writableEnded) return void reply.hijack()
      startStream(shared, request, reply, actor, from)
    },
  )
  const openStreams = () => [...openReplies.values()].flatMap((replies) => [...replies].map(({ raw }) => raw))
  // in the second half of the time, when the proxy leads to other processes, and not all in one moment
  app.draining.addEventListener('abort', () => {
    const halfMs = drainMs(context.config) / 2
    setTimeout(() => {
      for (const out of openStreams()) setTimeout(() => handOverStream(out), Math.random() * halfMs).unref()
    }, halfMs).unref()
  })
  app.addHook('preClose', async () => {
    clearInterval(timer)
    // a graceful stop would wait for open streams
    for (const out of openStreams()) {
      if (app.draining.aborted) handOverStream(out)
      else endStream(out)
    }
  })
}

/** Ends a stream with the hint to come back at once, to another process. It resumes after its last event there. */
function handOverStream(out: FastifyReply['raw']) {
  if (out.headersSent && !out.writableEnded && !out.destroyed) out.write(`retry: ${HAND_OVER_RETRY_MS}\n\n`)
  endStream(out)
}

/** Ends a stream even if its client does not read, because a graceful stop waits for it. */
function endStream(out: FastifyReply['raw']) {
  out.end()
  setTimeout(() => out.destroy(), END_TIMEOUT_MS).unref()
}

function findResumeNumber(request: FastifyRequest, { last_number: newest }: NotificationState): string {
  const header = request.headers['last-event-id']
  // a number from the future belongs to another database: start from now
  if (typeof header === 'string' && /^\d{1,18}$/.test(header) && BigInt(header) <= BigInt(newest)) return header
  return newest
}

function makeReadReporter({ log }: AppContext): StreamContext['reportReadResult'] {
  let failing = false
  return (error) => {
    if (error && !failing) log.warn({ error: describeError(error) }, 'live streams cannot read what is new')
    failing = Boolean(error)
  }
}

/** Returns whether an error means that the session may read no more. One of an absent or busy database says nothing about it. */
const isSessionRefused = (error: unknown) => error instanceof Refusal && error.code !== 'busy'

function startStream(
  { app, context: { db, live }, ticks, getNotificationState, reportReadResult }: StreamContext,
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
  let mustReadAgain = false
  let heartbeats = 0

  // writing to an ended response emits an error event that nobody handles, which would end the process
  const isClosed = () => out.destroyed || out.writableEnded

  const write = (text: string) => {
    if (isClosed()) return
    if (out.writableLength > MAX_BACKLOG_BYTES) out.destroy()
    else out.write(text)
  }

  /** Sends what came after `sentTo`, page by page, at least up to a number that is known to be committed. */
  const sendUpTo = async (last: string) => {
    while (BigInt(sentTo) < BigInt(last) && !isClosed()) {
      const rows = await listNotificationsAfter(db, userId, sentTo, ROWS_PER_READ)
      for (const row of rows) {
        write(`id: ${row.number}\nevent: notification\ndata: ${JSON.stringify(z.parse(Notification, row))}\n\n`)
        sentTo = row.number
      }
      // numbers follow the order of commits (decision live-updates): those missing up to `last` were deleted or never used
      if (rows.length < ROWS_PER_READ && BigInt(sentTo) < BigInt(last)) sentTo = last
    }
  }

  const sendUpdates = async () => {
    if (isClosed()) return
    if (isReading) {
      mustReadAgain = true
      return
    }
    isReading = true
    try {
      do {
        mustReadAgain = false
        const { last_number, unread } = await getNotificationState(userId)
        await sendUpTo(last_number)
        // with an id, so that a client that was sent no notification yet resumes from here too
        if (unread !== sentCount) write(`id: ${sentTo}\nevent: unread\ndata: ${JSON.stringify({ count: unread })}\n\n`)
        sentCount = unread
      } while (mustReadAgain && !isClosed())
      reportReadResult(null)
    } catch (error) {
      reportReadResult(error) // read again at the next heartbeat, or at the hint that the database is back
    } finally {
      isReading = false
    }
  }

  const checkSession = async () => {
    if (isClosed()) return
    try {
      const actor = await app.authenticate(request)
      // opened with other rights: it reconnects with the present ones
      if (actor.isAdmin !== isAdmin) endStream(out)
    } catch (error) {
      if (isSessionRefused(error)) endStream(out)
    }
  }

  const unsubscribe = live.subscribe(userId, {
    onUpdate: () => void sendUpdates(),
    onChange: () => {
      write('event: changed\ndata: {}\n\n')
      void sendUpdates() // a notification may have gone with it
    },
    onSessionChange: () => void checkSession(),
  })
  // any second of a round, because after a restart all streams are opened at the same moment
  const ownSecond = Math.floor(Math.random() * LIVE_HEARTBEAT_S)
  const onTick = (second: number) => {
    if (second % LIVE_HEARTBEAT_S !== ownSecond) return
    write(': still here\n\n')
    void sendUpdates() // makes up for a lost hint
    if (++heartbeats % HEARTBEATS_PER_SESSION_CHECK === 0) void checkSession()
  }
  ticks.add(onTick)
  out.once('close', () => {
    unsubscribe()
    ticks.delete(onTick)
  })
  void sendUpdates()
  void checkSession() // it may have ended before the stream subscribed
}
