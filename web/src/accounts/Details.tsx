import { useEffect, useState } from 'react'
import { FULL_NAME_MAX } from '#contract/auth.ts'
import type { AuthFailure } from '~/auth/auth-error-text'
import { FailureNotice } from '~/auth/FailureNotice'
import { nameRule } from '~/auth/field-rules'
import { keepDraft, readTextDraft } from '~/lib/drafts'
import { toast } from '~/lib/toast'
import { useForm } from '~/lib/use-form'
import { useUser } from '~/lib/user'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { TextField } from '~/ui/Field'
import { attemptSignedIn } from './attempt-signed-in.ts'
import { Section, sectionButton } from './Section.tsx'

const DRAFT = 'profile-name'

function check({ fullName }: { fullName: string }) {
  const missing = nameRule(fullName)
  if (missing !== true) return { fullName: missing }
  return { fullName: fullName.trim().length <= FULL_NAME_MAX || m.profile_name_too_long({ max: FULL_NAME_MAX }) }
}

/** Full name and e-mail address; the address is read-only (spec §5). */
export function Details() {
  const user = useUser()
  const stored: unknown = user.user_metadata['full_name']
  const name = typeof stored === 'string' ? stored : ''
  const [failure, setFailure] = useState<AuthFailure | null>(null)
  const { field, pending, props, read, write } = useForm({
    start: { fullName: readTextDraft(DRAFT) ?? name },
    check,
    async send(typed) {
      setFailure(null)
      const fullName = typed.fullName.trim()
      const outcome = await attemptSignedIn(m.error_unexpected(), async ({ auth }) => {
        const { error } = await auth.updateUser({ data: { full_name: fullName } })
        return { data: null, error }
      })
      if (outcome.state === 'failed') {
        setFailure(outcome.failure)
        return undefined
      }
      keepDraft(DRAFT, undefined)
      write('fullName', fullName)
      toast.success(m.profile_updated())
      return undefined
    },
  })

  useEffect(() => {
    if (readTextDraft(DRAFT) === undefined) write('fullName', name) // it was changed elsewhere
  }, [name, write])

  return (
    <Section title={m.profile_details()} intro={m.profile_details_intro()}>
      <form noValidate className="grid gap-5" {...props} onChange={() => keepDraft(DRAFT, read().fullName)}>
        <TextField label={m.profile_name()} autoComplete="name" {...field('fullName')} />
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
          pending={pending}
          pendingText={m.profile_saving()}
        >
          {m.profile_save()}
        </Button>
      </form>
    </Section>
  )
}
