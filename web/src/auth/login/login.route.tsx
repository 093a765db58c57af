import { publicPageMeta } from '~/lib/page/page-meta'
import { m } from '~/paraglide/messages'
import type { Route } from './+types/login.route'
import { LoginPage } from './LoginPage.tsx'

export const meta: Route.MetaFunction = ({ location }) =>
  publicPageMeta(location, { title: m.action_log_in(), description: m.login_description() })

export default function Login() {
  return <LoginPage />
}
