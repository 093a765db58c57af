import { publicPageMeta } from '~/lib/page/page-meta'
import { m } from '~/paraglide/messages'
import type { Route } from './+types/reset-password.route'
import { ResetPasswordPage } from './ResetPasswordPage.tsx'

export const meta: Route.MetaFunction = ({ location }) =>
  publicPageMeta(location, { title: m.reset_title(), description: m.reset_description(), indexed: false })

export default function ResetPassword() {
  return <ResetPasswordPage />
}
