import { publicPageMeta } from '~/lib/page/page-meta'
import { m } from '~/paraglide/messages'
import type { Route } from './+types/verify-email.route'
import { VerifyEmailPage } from './VerifyEmailPage.tsx'

export const meta: Route.MetaFunction = ({ location }) =>
  publicPageMeta(location, { title: m.page_verify_email(), description: m.verify_description(), indexed: false })

export default function VerifyEmail() {
  return <VerifyEmailPage />
}
