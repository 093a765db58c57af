import { listNotifications } from '#contract/notifications.ts'
import { urlOf } from '~/lib/http/api'
import { privatePageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import { prefetchBeforeRender } from '~/lib/query/prefetch-before-render'
import { queryClient } from '~/lib/query/query-client'
import { m } from '~/paraglide/messages'
import { NotificationsPage } from './NotificationsPage.tsx'
import { notificationsQuery } from './queries.ts'

const FIRST = urlOf(listNotifications, {})

export const handle: RouteHandle = { prefetch: [FIRST] }

export const clientLoader = () =>
  prefetchBeforeRender(FIRST, () => queryClient.prefetchInfiniteQuery(notificationsQuery))

export const meta = () => privatePageMeta(m.nav_notifications())

export default NotificationsPage
