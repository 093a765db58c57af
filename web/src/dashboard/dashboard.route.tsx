import { getDashboard } from '#contract/dashboard.ts'
import { addressOf } from '~/lib/api'
import { pageMeta } from '~/lib/page-meta'
import type { RouteHandle } from '~/lib/route-handle'
import { m } from '~/paraglide/messages'
import { DashboardPage } from './DashboardPage.tsx'

export const handle: RouteHandle = { reads: [addressOf(getDashboard, {})] }

export const meta = () => pageMeta(m.nav_dashboard())

export default function Dashboard() {
  return <DashboardPage />
}
