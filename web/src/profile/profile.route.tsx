import { getPreferences } from '#contract/preferences.ts'
import { urlOf } from '~/lib/http/api'
import { privatePageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import { m } from '~/paraglide/messages'
import { PageHeader } from '~/ui/PageHeader'
import { AccountEvents } from './AccountEvents.tsx'
import { BlockedPeople } from './BlockedPeople.tsx'
import { DataExport } from './DataExport.tsx'
import { DeleteAccount } from './DeleteAccount.tsx'
import { EmailAddress } from './EmailAddress.tsx'
import { PasswordReset } from './PasswordReset.tsx'
import { Preferences } from './Preferences.tsx'
import { ProfileDetails } from './ProfileDetails.tsx'
import { PushNotifications } from './PushNotifications.tsx'
import { QuietHours } from './QuietHours.tsx'
import { Sessions } from './Sessions.tsx'
import { TwoStep } from './TwoStep.tsx'

export const handle: RouteHandle = { prefetch: [urlOf(getPreferences, {})] }

export const meta = () => privatePageMeta(m.profile_title())

/** Renders /dashboard/profile and /admin/profile, the settings of the user's own account (requirements §2). */
export default function ProfilePage() {
  return (
    <>
      <PageHeader title={m.profile_title()}>{m.profile_intro()}</PageHeader>
      <div className="grid gap-5">
        <ProfileDetails />
        <Preferences />
        <QuietHours />
        <PushNotifications />
        <PasswordReset />
        <EmailAddress />
        <TwoStep />
        <Sessions />
        <AccountEvents />
        <BlockedPeople />
        <DataExport />
        <DeleteAccount />
      </div>
    </>
  )
}
