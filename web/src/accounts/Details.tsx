import { useState } from 'react'
import { FULL_NAME_MAX } from '#contract/auth.ts'
import type { AuthFailure } from '~/auth/auth-error-text'
import { FailureNotice } from '~/auth/FailureNotice'
import { nameRule } from '~/auth/field-rules'
import { keepDraft, readDraft } from '~/lib/drafts'
import { toast } from '~/lib/toast'
import { useTextForm } from '~/lib/use-text-form'
import { useUser } from '~/lib/user'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { TextField } from '~/ui/Field'
import { attemptSignedIn } from './failures.ts'
import { Section, sectionButton } from './Section.tsx'

const DRAFT = 'profile-name'

/** Full name and e-mail address; the address is read-only (spec §5). */
export function Details() {
  const user = useUser()
  const stored: unknown = user.user_metadata['full_name']
  const name = typeof stored === 'string' ? stored : ''
  const kept = readDraft(DRAFT)
  const [failure, setFailure] = useState<AuthFailure | null>(null)
  // the page hears of the new name a moment after it was saved
  const [saved, setSaved] = useState<{ before: string; name: string }>()
  const form = useTextForm({
    name: 'fullName',
    known: saved?.before === name ? saved.name : name,
    kept: typeof kept === 'string' ? kept : undefined,
    validate(typed) {
      const missing = nameRule(typed)
      if (missing !== true) return missing
      return typed.trim().length <= FULL_NAME_MAX || m.profile_name_too_long({ max: FULL_NAME_MAX })
    },
    onType: (typed) => keepDraft(DRAFT, typed),
    async send(typed) {
      setFailure(null)
      const fullName = typed.trim()
      const outcome = await attemptSignedIn(m.error_unexpected(), async ({ auth }) => {
        const { error } = await auth.updateUser({ data: { full_name: fullName } })
        return { data: null, error }
      })
      if (outcome.state === 'failed') {
        setFailure(outcome.failure)
        return undefined
      }
      keepDraft(DRAFT, undefined)
      setSaved({ before: name, name: fullName })
      toast.success(m.profile_updated())
      return true
    },
  })

  return (
    <Section title={m.profile_details()} intro={m.profile_details_intro()}>
      <form noValidate className="grid gap-5" onSubmit={form.onSubmit}>
        <TextField label={m.profile_name()} autoComplete="name" {...form.field} />
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
          pending={form.pending}
          pendingText={m.profile_saving()}
        >
          {m.profile_save()}
        </Button>
      </form>
    </Section>
  )
}
