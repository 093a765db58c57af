import { useQuery } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { getPreferences } from '#contract/preferences.ts'
import { getPushSettings } from '#contract/push.ts'
import { urlOf } from '~/lib/http/api'
import { privatePageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import { m } from '~/paraglide/messages'
import { preferencesQuery, useUpdatePreferences } from '~/preferences/queries'
import { Checkbox } from '~/ui/Checkbox'
import { Skeleton } from '~/ui/Skeleton'
import { Loaded } from '~/ui/signed-in/LoadedPart'
import { ProfileSection } from './frame/ProfileSection.tsx'
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

/** Shows the choices about emails. Each is saved as soon as it changes, without a button. */
function EmailPreferences() {
  const { mutate, isSuccess } = useUpdatePreferences()
  const saved = (
    <p role="status" className="flex items-center gap-1.5 text-sm font-semibold text-good empty:hidden">
      {isSuccess && (
        <>
          <Check aria-hidden="true" className="size-4" />
          {m.profile_saved()}
        </>
      )}
    </p>
  )
  return (
    <ProfileSection title={m.profile_emails()} aside={saved}>
      <Loaded query={useQuery(preferencesQuery)} skeleton={<Skeleton className="h-44 w-full" />}>
        {({ email_messages, email_message_text }) => (
          <div className="grid gap-2">
            <Checkbox
              label={<strong>{m.profile_email_messages()}</strong>}
              hint={m.profile_email_messages_hint()}
              checked={email_messages}
              onChange={({ target }) => mutate({ email_messages: target.checked })}
            />
            {/* stays a choice without emails about new messages: it is also about emails with replies */}
            <Checkbox
              label={<strong>{m.profile_email_text()}</strong>}
              hint={m.profile_email_text_hint()}
              checked={email_message_text}
              onChange={({ target }) => mutate({ email_message_text: target.checked })}
            />
          </div>
        )}
      </Loaded>
    </ProfileSection>
  )
}
