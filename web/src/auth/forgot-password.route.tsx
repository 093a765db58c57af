import { pageMeta } from '~/lib/page-meta'
import { m } from '~/paraglide/messages'
import { ForgotPasswordPage } from './ForgotPasswordPage.tsx'

export const meta = () => pageMeta(m.forgot_title())

export default function ForgotPassword() {
  return <ForgotPasswordPage />
}
