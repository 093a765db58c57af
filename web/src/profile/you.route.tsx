import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { FULL_NAME_MAX } from '#contract/auth.ts'
import { getEmailChange } from '#contract/email-change.ts'
import { getPreferences } from '#contract/preferences.ts'
import type { Locale } from '#contract/product.ts'
import { AuthForm, useAuthForm } from '~/auth/AuthForm'
import { validateName } from '~/auth/validators'
import { readDraftText, saveDraft } from '~/lib/form/drafts'
import { urlOf } from '~/lib/http/api'
import { privatePageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import { useUser } from '~/lib/session/user'
import { toast } from '~/lib/toast/toast'
import { m } from '~/paraglide/messages'
import { preferencesQuery, useUpdatePreferences } from '~/preferences/queries'
import { TextField } from '~/ui/Field'
import { LANGUAGE_NAMES } from '~/ui/LanguageSwitch'
import { SelectControl } from '~/ui/Select'
import { Skeleton } from '~/ui/Skeleton'
import { Loaded } from '~/ui/signed-in/LoadedPart'
import { DeleteAccount } from './DeleteAccount.tsx'
import { EmailAddress } from './EmailAddress.tsx'
import { ProfileSection, sectionButtonClass } from './frame/ProfileSection.tsx'
import { Password } from './Password.tsx'
import { signedInAuthRequest } from './queries.ts'

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

const DRAFT_NAME = 'profile-name'

function validate({ fullName }: { fullName: string }) {
  const missing = validateName(fullName)
  if (missing !== true) return { fullName: missing }
  return { fullName: fullName.trim().length <= FULL_NAME_MAX || m.profile_name_too_long({ max: FULL_NAME_MAX }) }
}

/** Shows the full name, which is changed here, and the email address. */
function ProfileDetails() {
  const user = useUser()
  const stored: unknown = user.user_metadata['full_name']
  const name = typeof stored === 'string' ? stored : ''
  const { setValue, ...form } = useAuthForm({
    defaultValues: { fullName: readDraftText(DRAFT_NAME) ?? name },
    validate,
    async onSubmit(values) {
      const fullName = values.fullName.trim()
      await signedInAuthRequest<unknown>(m.error_unexpected(), ({ auth }) =>
        auth.updateUser({ data: { full_name: fullName } }),
      )
      saveDraft(DRAFT_NAME, undefined)
      setValue('fullName', fullName)
      toast.success(m.profile_updated())
    },
  })

  useEffect(() => {
    if (readDraftText(DRAFT_NAME) === undefined) setValue('fullName', name) // it was changed elsewhere
  }, [name, setValue])

  return (
    <ProfileSection title={m.profile_details()} intro={m.profile_details_intro()}>
      <AuthForm
        form={form}
        submitText={m.profile_save()}
        pendingText={m.profile_saving()}
        submitClass={sectionButtonClass}
        onChange={() => saveDraft(DRAFT_NAME, form.getValues().fullName)}
      >
        <TextField label={m.profile_name()} autoComplete="name" {...form.register('fullName')} />
      </AuthForm>
      <EmailAddress />
    </ProfileSection>
  )
}

const LANGUAGES = Object.entries(LANGUAGE_NAMES).map(([value, label]) => ({ value, label }))

/** Shows the language of the account. A change is saved at once, and the page opens in it. */
function Language() {
  const { mutate } = useUpdatePreferences()
  return (
    <ProfileSection title={m.profile_language()} intro={m.profile_language_hint()}>
      <Loaded query={useQuery(preferencesQuery)} skeleton={<Skeleton className="h-12 w-full" />}>
        {({ locale }) => (
          <SelectControl
            aria-label={m.profile_language()}
            options={LANGUAGES}
            value={locale}
            onChange={({ target }) => mutate({ locale: target.value as Locale })}
          />
        )}
      </Loaded>
    </ProfileSection>
  )
}
