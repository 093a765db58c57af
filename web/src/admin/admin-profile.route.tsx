import { getPreferences } from '#contract/preferences.ts'
import { ProfilePage } from '~/accounts/ProfilePage'
import { addressOf } from '~/lib/api'
import { pageMeta } from '~/lib/page-meta'
import type { RouteHandle } from '~/lib/route-handle'
import { m } from '~/paraglide/messages'

export const handle: RouteHandle = { reads: [addressOf(getPreferences, {})] }

export const meta = () => pageMeta(m.profile_title())

export default function AdminProfile() {
  return <ProfilePage />
}
