import { getEmailChange } from '#contract/email-change.ts'
import { getPreferences } from '#contract/preferences.ts'
import { urlOf } from '~/lib/http/api'
import { privatePageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import { m } from '~/paraglide/messages'
import { DeleteAccount } from './DeleteAccount.tsx'
import { Language } from './Language.tsx'
import { Password } from './Password.tsx'
import { ProfileDetails } from './ProfileDetails.tsx'

export const handle: RouteHandle = { prefetch: [urlOf(getEmailChange, {}), urlOf(getPreferences, {})] }

export const meta = () => privatePageMeta(m.profile_title())

/** Renders the first part of the profile, which has what requirements §2 lists for this address. */
export default function You() {
  return (
    <>
      <ProfileDetails />
      <Language />
      <Password />
      <DeleteAccount />
    </>
  )
}
