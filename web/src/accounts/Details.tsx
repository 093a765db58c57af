import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { FULL_NAME_MAX } from '#contract/auth.ts'
import type { AuthFailure } from '~/auth/auth-error-text'
import { FailureNotice } from '~/auth/FailureNotice'
import { nameRule } from '~/auth/field-rules'
import { keepDraft, readDraft } from '~/lib/drafts'
import { toast } from '~/lib/toast'
import { useUser } from '~/lib/user'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { TextField } from '~/ui/Field'
import { attemptSignedIn } from './failures.ts'
import { Section, sectionButton } from './Section.tsx'

const DRAFT = 'profile-name'

type Fields = { fullName: string }

/** Full name and e-mail address; the address is read-only (spec §5). */
export function Details() {
  const user = useUser()
  const known: unknown = user.user_metadata['full_name']
  const [failure, setFailure] = useState<AuthFailure | null>(null)
  const { register, handleSubmit, reset, setValue, getValues, formState } = useForm<Fields>({
    values: { fullName: typeof known === 'string' ? known : '' },
    resetOptions: { keepDirtyValues: true }, // a name saved in another tab does not replace what is being typed here
  })

  useEffect(() => {
    const kept = readDraft(DRAFT)
    if (typeof kept === 'string') setValue('fullName', kept, { shouldDirty: true })
  }, [setValue])

  const save = handleSubmit(async ({ fullName: typed }) => {
    setFailure(null)
    const fullName = typed.trim()
    const outcome = await attemptSignedIn(m.error_unexpected(), async ({ auth }) => {
      const { error } = await auth.updateUser({ data: { full_name: fullName } })
      return { data: null, error }
    })
    if (outcome.state === 'failed') return setFailure(outcome.failure)
    keepDraft(DRAFT, undefined)
    reset({ fullName })
    toast.success(m.profile_updated())
  })

  return (
    <Section title={m.profile_details()} intro={m.profile_details_intro()}>
      <form noValidate className="grid gap-5" onSubmit={(event) => void save(event)}>
        <TextField
          label={m.profile_name()}
          autoComplete="name"
          error={formState.errors.fullName?.message}
          {...register('fullName', {
            onChange: () => keepDraft(DRAFT, getValues('fullName')),
            validate: {
              missing: nameRule,
              length: (typed) =>
                typed.trim().length <= FULL_NAME_MAX || m.profile_name_too_long({ max: FULL_NAME_MAX }),
            },
          })}
        />
        <TextField
          label={m.auth_email()}
          hint={m.profile_email_hint()}
          type="email"
          autoComplete="email"
          readOnly
          value={user.email ?? ''}
        />
        <FailureNotice failure={failure} />
        <Button
          type="submit"
          variant="primary"
          className={sectionButton}
          pending={formState.isSubmitting}
          pendingText={m.profile_saving()}
        >
          {m.profile_save()}
        </Button>
      </form>
    </Section>
  )
}
