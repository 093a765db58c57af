import { publicPageMeta } from '~/lib/page/page-meta'
import { m } from '~/paraglide/messages'
import type { Route } from './+types/forgot-password.route'
import { ForgotPasswordPage } from './ForgotPasswordPage.tsx'

export const meta: Route.MetaFunction = ({ location }) =>
  publicPageMeta(location, { title: m.forgot_title(), description: m.forgot_description() })

export default function ForgotPassword() {
  return <ForgotPasswordPage />
}
