import { pageMeta } from '~/lib/page-meta'
import { m } from '~/paraglide/messages'
import { AdminLoginPage } from './AdminLoginPage.tsx'

export const meta = () => pageMeta(m.admin_login_title())

export default function AdminLogin() {
  return <AdminLoginPage />
}
