import { publicPageMeta } from '~/lib/page/page-meta'
import { m } from '~/paraglide/messages'
import type { Route } from './+types/admin-login.route'
import { AdminLoginPage } from './AdminLoginPage.tsx'

export const meta: Route.MetaFunction = ({ location }) =>
  publicPageMeta(location, { title: m.admin_login_title(), description: m.admin_login_description(), indexed: false })

export default function AdminLogin() {
  return <AdminLoginPage />
}
