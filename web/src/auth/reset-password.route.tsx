import { publicMeta } from '~/lib/page-meta'
import { m } from '~/paraglide/messages'
import type { Route } from './+types/reset-password.route'
import { ResetPasswordPage } from './ResetPasswordPage.tsx'

export const meta: Route.MetaFunction = ({ location }) =>
  publicMeta(location, { title: m.reset_title(), description: m.reset_description(), listed: false })

export default function ResetPassword() {
  return <ResetPasswordPage />
}
