import { ProfilePage } from '~/accounts/ProfilePage'
import { pageMeta } from '~/lib/page-meta'
import { m } from '~/paraglide/messages'

export const meta = () => pageMeta(m.profile_title())

export default function AdminProfile() {
  return <ProfilePage />
}
