import { privatePageMeta } from '~/lib/page/page-meta'
import { m } from '~/paraglide/messages'
import { UserPage } from './UserPage.tsx'

export const meta = () => privatePageMeta(m.admin_user_title())

export default function User() {
  return <UserPage />
}
