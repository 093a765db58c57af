import { privatePageMeta } from '~/lib/page/page-meta'
import { m } from '~/paraglide/messages'
import { UsersPage } from './UsersPage.tsx'

export const meta = () => privatePageMeta(m.admin_users_title())

export default function Users() {
  return <UsersPage />
}
