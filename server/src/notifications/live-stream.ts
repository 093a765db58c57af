import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { LIVE_PATH } from '#contract/live.ts'
import { Notification } from '#contract/notifications.ts'
import { faultOf } from '../http/errors.ts'
import type { Parts } from '../parts.ts'
import { refuse } from '../refusal.ts'
import { countUnread, lastNumber, notificationsAfter } from './queries.ts'

const HEARTBEAT_MS = 15_000
/** A stream asks this often whether its session still holds, so that sign-out and suspension end it without news. */
const SESSION_CHECK_MS = 30_000
/** Bytes a reader may leave unread before it is cut off; it comes back and resumes. */
const BACKLOG_MAX_BYTES = 256 * 1024
const ROWS_AT_ONCE = 100
/** Streams of one person (design §6). */
const STREAMS_MAX = 5
const RETRY_MS = 1_000
/** What an ended stream may take to reach a reader that reads slowly; then it is cut off. */
const END_WITHIN_MS = 2_000

/**
 * `GET /api/live`: server-sent events (WHATWG HTML §9.2). Events `notification` carry the row and its number as id;
 * a stream that comes back with `Last-Event-ID` gets everything after it. Events `unread` carry `{count}`. Hints only
 * wake the stream: what it sends it reads from the database, so a lost hint costs seconds and never an event.
 */
export function liveRoute(app: FastifyInstance, parts: Parts) {
  const open = new Map<string, Set<FastifyReply>>()
  app.get(
    LIVE_PATH,
    {
      onRequest: async (request) => {
        request.actor = await app.authenticate(request)
      },
    },
    async (request, reply) => {
      const userId = (request.actor ?? refuse('signed_out')).id
      // gone while the bearer was checked: 'close' has passed and will not come again
      if (reply.raw.destroyed) return void reply.hijack()
      const mine = open.get(userId) ?? new Set()
      const most = Math.max(1, Math.floor(STREAMS_MAX * parts.config.LIMIT_SCALE))
      if (mine.size >= most) refuse('too_many_requests', { retryAfterS: 30 })
      // taken before anything is awaited, so that who opens many at once gets no more than the others
      mine.add(reply)
      open.set(userId, mine)
      reply.raw.once('close', () => {
        mine.delete(reply)
        if (mine.size === 0) open.delete(userId)
      })
      const from = await resumePoint(parts, request, userId)
      if (reply.raw.destroyed) return void reply.hijack()
      stream(app, parts, request, reply, userId, from)
    },
  )
  app.addHook('preClose', async () => {
    // an open stream would keep a graceful stop waiting
    for (const replies of open.values()) for (const reply of replies) endStream(reply.raw)
  })
}

/** Ends a stream, also under a reader that does not read: one that never ends would hold up a graceful stop. */
function endStream(out: FastifyReply['raw']) {
  out.end()
  setTimeout(() => out.destroy(), END_WITHIN_MS).unref()
}

async function resumePoint({ db }: Parts, request: FastifyRequest, userId: string): Promise<string> {
  const header = request.headers['last-event-id']
  const newest = await lastNumber(db, userId)
  // a number from the future is of another database: start from now
  if (typeof header === 'string' && /^\d{1,18}$/.test(header) && BigInt(header) <= BigInt(newest)) return header
  return newest
}

function stream(
  app: FastifyInstance,
  { db, live, log }: Parts,
  request: FastifyRequest,
  reply: FastifyReply,
  userId: string,
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

  // writing to an ended response is an error event, which nobody handles and which would end the process
  const isOver = () => out.destroyed || out.writableEnded

  const write = (text: string) => {
    if (isOver()) return
    if (out.writableLength > BACKLOG_MAX_BYTES) out.destroy()
    else out.write(text)
  }

  const sendNews = async () => {
    if (isOver()) return
    if (busy) {
      again = true // news during the reading: read once more afterwards
      return
    }
    busy = true
    try {
      do {
        again = false
        const rows = await notificationsAfter(db, userId, sentTo, ROWS_AT_ONCE)
        for (const row of rows) {
          write(`id: ${row.number}\nevent: notification\ndata: ${JSON.stringify(z.parse(Notification, row))}\n\n`)
          sentTo = row.number
        }
        if (rows.length === ROWS_AT_ONCE) again = true
        const count = await countUnread(db, userId)
        if (count !== sentCount) write(`event: unread\ndata: ${JSON.stringify({ count })}\n\n`)
        sentCount = count
      } while (again && !isOver())
    } catch (error) {
      log.warn({ fault: faultOf(error), reqId: request.id }, 'live stream ended')
      out.destroy() // the reader comes back and resumes
    } finally {
      busy = false
    }
  }

  const checkSession = async () => {
    try {
      await app.authenticate(request)
    } catch {
      endStream(out)
    }
  }

  const unsubscribe = live.subscribe(userId, () => void sendNews())
  const heartbeat = setInterval(() => {
    write(': still here\n\n')
    void sendNews() // makes up for a lost hint
  }, HEARTBEAT_MS)
  const sessionCheck = setInterval(() => void checkSession(), SESSION_CHECK_MS)
  out.once('close', () => {
    unsubscribe()
    clearInterval(heartbeat)
    clearInterval(sessionCheck)
  })
  void sendNews()
}
