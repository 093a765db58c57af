import { getStats } from '#contract/admin.ts'
import { addressOf } from '~/lib/api'
import { pageMeta } from '~/lib/page-meta'
import { queryClient } from '~/lib/query-client'
import { readBeforeDrawing } from '~/lib/read-before-drawing'
import type { RouteHandle } from '~/lib/route-handle'
import { m } from '~/paraglide/messages'
import { AdminDashboardPage } from './AdminDashboardPage.tsx'
import { statsQuery } from './stats-query.ts'

const FIRST = addressOf(getStats, {})

export const handle: RouteHandle = { reads: [FIRST] }

export const clientLoader = () => readBeforeDrawing(FIRST, () => queryClient.prefetchQuery(statsQuery))

export const meta = () => pageMeta(`${m.admin_area()} · ${m.nav_dashboard()}`)

export default function Admin() {
  return <AdminDashboardPage />
}
