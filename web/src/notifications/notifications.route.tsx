import { listNotifications } from '#contract/notifications.ts'
import { addressOf } from '~/lib/api'
import { pageMeta } from '~/lib/page-meta'
import type { RouteHandle } from '~/lib/route-handle'
import { m } from '~/paraglide/messages'
import { NotificationsPage } from './NotificationsPage.tsx'

export const handle: RouteHandle = { reads: [addressOf(listNotifications, {})] }

export const meta = () => pageMeta(m.nav_notifications())

export default NotificationsPage
