import { getStats } from '#contract/admin.ts'
import { urlOf } from '~/lib/http/api'
import { privatePageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import { prefetchBeforeRender } from '~/lib/query/prefetch-before-render'
import { queryClient } from '~/lib/query/query-client'
import { m } from '~/paraglide/messages'
import { AdminDashboardPage } from './AdminDashboardPage.tsx'
import { statsQuery } from './stats-query.ts'

const FIRST = urlOf(getStats, {})

export const handle: RouteHandle = { prefetch: [FIRST] }

export const clientLoader = () => prefetchBeforeRender(FIRST, () => queryClient.prefetchQuery(statsQuery))

export const meta = () => privatePageMeta(`${m.admin_area()} · ${m.nav_dashboard()}`)

export default function Admin() {
  return <AdminDashboardPage />
}
