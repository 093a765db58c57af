import { m } from '~/paraglide/messages'
import { PageHeader } from '~/ui/PageHeader'
import { DeleteAccount } from './DeleteAccount.tsx'
import { Details } from './Details.tsx'
import { DeviceNotifications } from './DeviceNotifications.tsx'
import { Devices } from './Devices.tsx'
import { OwnData } from './OwnData.tsx'
import { PasswordReset } from './PasswordReset.tsx'
import { Preferences } from './Preferences.tsx'

/** /dashboard/profile and /admin/profile (spec §2): the own account, from the name to its end. */
export function ProfilePage() {
  return (
    <>
      <PageHeader title={m.profile_title()}>{m.profile_intro()}</PageHeader>
      <div className="grid gap-5">
        <Details />
        <Preferences />
        <DeviceNotifications />
        <PasswordReset />
        <Devices />
        <OwnData />
        <DeleteAccount />
      </div>
    </>
  )
}
