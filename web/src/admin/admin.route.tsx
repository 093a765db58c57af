import { getStats } from '#contract/admin.ts'
import { addressOf } from '~/lib/api'
import { pageMeta } from '~/lib/page-meta'
import type { RouteHandle } from '~/lib/route-handle'
import { m } from '~/paraglide/messages'
import { AdminDashboardPage } from './AdminDashboardPage.tsx'

export const handle: RouteHandle = { reads: [addressOf(getStats, {})] }

export const meta = () => pageMeta(`${m.admin_area()} · ${m.nav_dashboard()}`)

export default function Admin() {
  return <AdminDashboardPage />
}
