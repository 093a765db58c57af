import { pageMeta } from '~/lib/page-meta'
import { m } from '~/paraglide/messages'
import { ProfilePage } from './ProfilePage.tsx'

export const meta = () => pageMeta(m.profile_title())

export default function Profile() {
  return <ProfilePage />
}
