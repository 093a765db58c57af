import { useState } from 'react'
import { useForm } from '~/lib/use-form'
import { m } from '~/paraglide/messages'
import { PasswordField } from '~/ui/PasswordField'
import type { AuthFailure } from './auth-error-text.ts'
import { FailureNotice } from './FailureNotice.tsx'
import { newPasswordRule } from './field-rules.ts'
import { NewPasswordField } from './NewPasswordField.tsx'
import { finishRecovery, type Recovery } from './recovery.ts'
import { SubmitButton } from './SubmitButton.tsx'

type Props = { recovery: Recovery; onDone: () => void; onOver: () => void }

/** Refusals that are about the password, and stand at its field. */
const ABOUT_PASSWORD = new Set<string | undefined>(['weak_password', 'same_password'])

export function ResetPasswordForm({ recovery, onDone, onOver }: Props) {
  const [failure, setFailure] = useState<AuthFailure | null>(null)
  const form = useForm({
    start: { password: '', confirmation: '' },
    prerendered: true,
    check: ({ password, confirmation }) => ({
      password: newPasswordRule(password),
      confirmation: confirmation === password || m.reset_mismatch(),
    }),
    async send({ password }) {
      setFailure(null)
      const outcome = await finishRecovery(recovery, password)
      if (outcome.state === 'done') onDone()
      else if (outcome.failure.linkOver) onOver()
      else if (ABOUT_PASSWORD.has(outcome.failure.code)) return { password: outcome.failure.text }
      else setFailure(outcome.failure)
      return undefined
    },
  })

  return (
    <form method="post" noValidate className="grid gap-5" {...form.props}>
      {/* tells password managers whose password this is */}
      <input type="text" name="username" autoComplete="username" value={recovery.email} readOnly hidden />
      <NewPasswordField label={m.reset_password()} typed={form.values.password} {...form.field('password')} />
      <PasswordField label={m.auth_password_confirm()} autoComplete="new-password" {...form.field('confirmation')} />
      <FailureNotice failure={failure} />
      <SubmitButton pending={form.pending} pendingText={m.reset_pending()}>
        {m.reset_submit()}
      </SubmitButton>
    </form>
  )
}
