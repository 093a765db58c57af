import { pageMeta } from '~/lib/page-meta'
import { m } from '~/paraglide/messages'
import { AdminDashboardPage } from './AdminDashboardPage.tsx'

export const meta = () => pageMeta(`${m.admin_area()} · ${m.nav_dashboard()}`)

export default function Admin() {
  return <AdminDashboardPage />
}
