import { getPreferences } from '#contract/preferences.ts'
import { urlOf } from '~/lib/http/api'
import { privatePageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import { m } from '~/paraglide/messages'
import { ProfilePage } from './ProfilePage.tsx'

export const handle: RouteHandle = { prefetch: [urlOf(getPreferences, {})] }

export const meta = () => privatePageMeta(m.profile_title())

export default function Profile() {
  return <ProfilePage />
}
