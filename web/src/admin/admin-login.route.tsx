import { publicMeta } from '~/lib/page-meta'
import { m } from '~/paraglide/messages'
import type { Route } from './+types/admin-login.route'
import { AdminLoginPage } from './AdminLoginPage.tsx'

export const meta: Route.MetaFunction = ({ location }) =>
  publicMeta(location, { title: m.admin_login_title(), description: m.admin_login_description(), listed: false })

export default function AdminLogin() {
  return <AdminLoginPage />
}
