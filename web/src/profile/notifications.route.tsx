import { getPreferences } from '#contract/preferences.ts'
import { getPushSettings } from '#contract/push.ts'
import { urlOf } from '~/lib/http/api'
import { privatePageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import { m } from '~/paraglide/messages'
import { EmailPreferences } from './EmailPreferences.tsx'
import { PushNotifications } from './PushNotifications.tsx'
import { QuietHours } from './QuietHours.tsx'

export const handle: RouteHandle = { prefetch: [urlOf(getPreferences, {}), urlOf(getPushSettings, {})] }

export const meta = () => privatePageMeta(`${m.profile_part_notifications()} · ${m.profile_title()}`)

/** Renders the part of the profile about what reaches the user where and when. */
export default function NotificationSettings() {
  return (
    <>
      <EmailPreferences />
      <PushNotifications />
      <QuietHours />
    </>
  )
}
