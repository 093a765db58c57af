import type { FastifyInstance } from 'fastify'
import * as z from 'zod/mini'
import * as contract from '#contract/notifications.ts'
import type { AppContext } from '../context.ts'
import { pageLimit, parseCursor, toPage } from '../db/pagination.ts'
import { userRoute } from '../http/route.ts'
import { refuse } from '../refusal.ts'
import { registerEventStream } from './event-stream.ts'
import { countUnread, listNotifications, setAllNotificationsRead, setNotificationRead } from './queries.ts'

const NotificationNumber = z.string().check(z.regex(/^\d{1,18}$/))

/** Registers notifications and their live stream (requirements §2, §3; decision http-interface). Other tabs see every change. */
export function notificationRoutes(app: FastifyInstance, context: AppContext) {
  const { db, live } = context

  userRoute(app, contract.listNotifications, async (paging, { id }) => {
    const limit = pageLimit(paging)
    const rows = await listNotifications(db, id, parseCursor(NotificationNumber, paging), limit + 1)
    return toPage(
      rows,
      limit,
      (row) => row.number,
      (row) => row,
    )
  })
  userRoute(app, contract.getUnreadCount, async (_, { id }) => ({ count: await countUnread(db, id) }))
  userRoute(app, contract.markNotification, async ({ id, is_read }, actor) => {
    const notification = (await setNotificationRead(db, id, actor.id, is_read)) ?? refuse('not_found')
    live.publish([actor.id])
    return notification
  })
  userRoute(app, contract.markAllRead, async (_, { id }) => {
    await setAllNotificationsRead(db, id)
    live.publish([id])
  })
  registerEventStream(app, context)
}
