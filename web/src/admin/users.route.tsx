import { pageMeta } from '~/lib/page-meta'
import { m } from '~/paraglide/messages'
import { UsersPage } from './UsersPage.tsx'

export const meta = () => pageMeta(m.admin_users_title())

export default function Users() {
  return <UsersPage />
}
