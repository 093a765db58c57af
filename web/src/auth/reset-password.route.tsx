import { pageMeta } from '~/lib/page-meta'
import { m } from '~/paraglide/messages'
import { ResetPasswordPage } from './ResetPasswordPage.tsx'

export const meta = () => pageMeta(m.reset_title())

export default function ResetPassword() {
  return <ResetPasswordPage />
}
