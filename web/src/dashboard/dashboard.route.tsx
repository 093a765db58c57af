import { getDashboard } from '#contract/dashboard.ts'
import { urlOf } from '~/lib/http/api'
import { privatePageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import { prefetchBeforeRender } from '~/lib/query/prefetch-before-render'
import { queryClient } from '~/lib/query/query-client'
import { m } from '~/paraglide/messages'
import { DashboardPage } from './DashboardPage.tsx'
import { dashboardQuery } from './queries.ts'

const FIRST = urlOf(getDashboard, {})

export const handle: RouteHandle = { prefetch: [FIRST] }

export const clientLoader = () => prefetchBeforeRender(FIRST, () => queryClient.prefetchQuery(dashboardQuery))

export const meta = () => privatePageMeta(m.nav_dashboard())

export default function Dashboard() {
  return <DashboardPage />
}
