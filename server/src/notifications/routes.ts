import type { FastifyInstance } from 'fastify'
import * as z from 'zod/mini'
import * as contract from '#contract/notifications.ts'
import { pageLimit, readCursor, toPage } from '../db/keyset.ts'
import { userRoute } from '../http/route.ts'
import type { Parts } from '../parts.ts'
import { refuse } from '../refusal.ts'
import { liveRoute } from './live-stream.ts'
import { countUnread, listNotifications, setAllRead, setRead } from './queries.ts'

const Number_ = z.string().check(z.regex(/^\d{1,18}$/))

/** Notifications and their live stream (spec §2, §3; design §3). Every change is told to the person's other tabs. */
export function notificationRoutes(app: FastifyInstance, parts: Parts) {
  const { db, live } = parts

  userRoute(app, contract.listNotifications, async (paging, { id }) => {
    const limit = pageLimit(paging)
    const rows = await listNotifications(db, id, readCursor(Number_, paging), limit + 1)
    return toPage(
      rows,
      limit,
      (row) => row.number,
      (row) => row,
    )
  })
  userRoute(app, contract.unreadCount, async (_, { id }) => ({ count: await countUnread(db, id) }))
  userRoute(app, contract.markNotification, async ({ id, is_read }, actor) => {
    const notification = (await setRead(db, id, actor.id, is_read)) ?? refuse('not_found')
    live.publish([actor.id])
    return notification
  })
  userRoute(app, contract.markAllRead, async (_, { id }) => {
    await setAllRead(db, id)
    live.publish([id])
  })
  liveRoute(app, parts)
}
