import { pageMeta } from '~/lib/page-meta'
import { m } from '~/paraglide/messages'
import { SignupPage } from './SignupPage.tsx'

export const meta = () => pageMeta(m.signup_title())

export default function Signup() {
  return <SignupPage />
}
