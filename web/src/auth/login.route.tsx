import { pageMeta } from '~/lib/page-meta'
import { m } from '~/paraglide/messages'
import { LoginPage } from './LoginPage.tsx'

export const meta = () => pageMeta(m.action_log_in())

export default function Login() {
  return <LoginPage />
}
