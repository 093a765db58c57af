import { pageMeta } from '~/lib/page-meta'
import { m } from '~/paraglide/messages'
import { DashboardPage } from './DashboardPage.tsx'

export const meta = () => pageMeta(m.nav_dashboard())

export default function Dashboard() {
  return <DashboardPage />
}
