import { useState } from 'react'
import { AuthFailureAlert } from '~/auth/AuthFailureAlert'
import type { AuthFailure } from '~/auth/auth-error-text'
import type { AuthResult } from '~/auth/auth-request'
import { NewPasswordField } from '~/auth/NewPasswordField'
import { SubmitButton } from '~/auth/SubmitButton'
import { validateNewPassword } from '~/auth/validators'
import { useForm } from '~/lib/form/use-form'
import { m } from '~/paraglide/messages'
import { PasswordField } from '~/ui/PasswordField'

type Props = {
  /** The address of the account. */
  email: string
  savePassword: (password: string) => Promise<AuthResult<unknown>>
  onDone: () => void | Promise<void>
  onExpired: () => void
  submitText?: string
}

/** Error codes about the password, which are shown at its field. */
const PASSWORD_FIELD_CODES = new Set<string | undefined>(['weak_password', 'same_password'])

/** Chooses a password for the account of a link. */
export function ResetPasswordForm({ email, savePassword, onDone, onExpired, submitText }: Props) {
  const [failure, setFailure] = useState<AuthFailure | null>(null)
  const form = useForm({
    defaultValues: { password: '', confirmation: '' },
    uncontrolled: true,
    validate: ({ password, confirmation }) => ({
      password: validateNewPassword(password),
      confirmation: confirmation === password || m.reset_mismatch(),
    }),
    async onSubmit({ password }) {
      setFailure(null)
      const outcome = await savePassword(password)
      if (outcome.state === 'done') await onDone()
      else if (outcome.failure.linkExpired) onExpired()
      else if (PASSWORD_FIELD_CODES.has(outcome.failure.code)) return { password: outcome.failure.text }
      else setFailure(outcome.failure)
      return undefined
    },
  })

  return (
    <form method="post" noValidate className="grid gap-5" {...form.formProps}>
      {/* tells password managers whose password this is */}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <NewPasswordField label={m.reset_password()} password={form.values.password} {...form.register('password')} />
      <PasswordField label={m.auth_password_confirm()} autoComplete="new-password" {...form.register('confirmation')} />
      <AuthFailureAlert failure={failure} />
      <SubmitButton
        pending={form.pending}
        pendingText={submitText === undefined ? m.reset_pending() : m.verify_choose_pending()}
      >
        {submitText ?? m.reset_submit()}
      </SubmitButton>
    </form>
  )
}
