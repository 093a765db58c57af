import { useEffect, useState } from 'react'
import { FULL_NAME_MAX } from '#contract/auth.ts'
import { AuthFailureAlert } from '~/auth/AuthFailureAlert'
import type { AuthFailure } from '~/auth/auth-error-text'
import { validateName } from '~/auth/validators'
import { readDraftText, saveDraft } from '~/lib/form/drafts'
import { useForm } from '~/lib/form/use-form'
import { useUser } from '~/lib/session/user'
import { toast } from '~/lib/toast/toast'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { TextField } from '~/ui/Field'
import { EmailAddress } from './EmailAddress.tsx'
import { ProfileSection, sectionButtonClass } from './frame/ProfileSection.tsx'
import { signedInAuthRequest } from './signed-in-auth-request.ts'

const DRAFT_NAME = 'profile-name'

function validate({ fullName }: { fullName: string }) {
  const missing = validateName(fullName)
  if (missing !== true) return { fullName: missing }
  return { fullName: fullName.trim().length <= FULL_NAME_MAX || m.profile_name_too_long({ max: FULL_NAME_MAX }) }
}

/** Shows the full name, which is changed here, and the email address. */
export function ProfileDetails() {
  const user = useUser()
  const stored: unknown = user.user_metadata['full_name']
  const name = typeof stored === 'string' ? stored : ''
  const [failure, setFailure] = useState<AuthFailure | null>(null)
  const { register, pending, formProps, getValues, setValue } = useForm({
    defaultValues: { fullName: readDraftText(DRAFT_NAME) ?? name },
    validate,
    async onSubmit(values) {
      setFailure(null)
      const fullName = values.fullName.trim()
      const outcome = await signedInAuthRequest(m.error_unexpected(), async ({ auth }) => {
        const { error } = await auth.updateUser({ data: { full_name: fullName } })
        return { data: null, error }
      })
      if (outcome.state === 'failed') {
        setFailure(outcome.failure)
        return undefined
      }
      saveDraft(DRAFT_NAME, undefined)
      setValue('fullName', fullName)
      toast.success(m.profile_updated())
      return undefined
    },
  })

  useEffect(() => {
    if (readDraftText(DRAFT_NAME) === undefined) setValue('fullName', name) // it was changed elsewhere
  }, [name, setValue])

  return (
    <ProfileSection title={m.profile_details()} intro={m.profile_details_intro()}>
      <form
        noValidate
        className="grid gap-5"
        {...formProps}
        onChange={() => saveDraft(DRAFT_NAME, getValues().fullName)}
      >
        <TextField label={m.profile_name()} autoComplete="name" {...register('fullName')} />
        <AuthFailureAlert failure={failure} />
        <Button
          type="submit"
          variant="primary"
          className={sectionButtonClass}
          pending={pending}
          pendingText={m.profile_saving()}
        >
          {m.profile_save()}
        </Button>
      </form>
      <EmailAddress />
    </ProfileSection>
  )
}
