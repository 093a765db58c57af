import { pageMeta } from '~/lib/page-meta'
import { m } from '~/paraglide/messages'
import { VerifyEmailPage } from './VerifyEmailPage.tsx'

export const meta = () => pageMeta(m.page_verify_email())

export default function VerifyEmail() {
  return <VerifyEmailPage />
}
