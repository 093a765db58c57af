import { listNotifications } from '#contract/notifications.ts'
import { addressOf } from '~/lib/api'
import { pageMeta } from '~/lib/page-meta'
import { queryClient } from '~/lib/query-client'
import { readBeforeDrawing } from '~/lib/read-before-drawing'
import type { RouteHandle } from '~/lib/route-handle'
import { m } from '~/paraglide/messages'
import { NotificationsPage } from './NotificationsPage.tsx'
import { notificationsQuery } from './queries.ts'

const FIRST = addressOf(listNotifications, {})

export const handle: RouteHandle = { reads: [FIRST] }

export const clientLoader = () => readBeforeDrawing(FIRST, () => queryClient.prefetchInfiniteQuery(notificationsQuery))

export const meta = () => pageMeta(m.nav_notifications())

export default NotificationsPage
