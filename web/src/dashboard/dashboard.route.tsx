import { getDashboard } from '#contract/dashboard.ts'
import { addressOf } from '~/lib/api'
import { pageMeta } from '~/lib/page-meta'
import { queryClient } from '~/lib/query-client'
import { readBeforeDrawing } from '~/lib/read-before-drawing'
import type { RouteHandle } from '~/lib/route-handle'
import { m } from '~/paraglide/messages'
import { DashboardPage } from './DashboardPage.tsx'
import { dashboard } from './queries.ts'

const FIRST = addressOf(getDashboard, {})

export const handle: RouteHandle = { reads: [FIRST] }

export const clientLoader = () => readBeforeDrawing(FIRST, () => queryClient.prefetchQuery(dashboard))

export const meta = () => pageMeta(m.nav_dashboard())

export default function Dashboard() {
  return <DashboardPage />
}
