import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { m } from '~/paraglide/messages'
import { PasswordField } from '~/ui/PasswordField'
import { type AuthFailure, isLinkOver } from './auth-error-text.ts'
import { FailureNotice } from './FailureNotice.tsx'
import { newPasswordRule } from './field-rules.ts'
import { NewPasswordField } from './NewPasswordField.tsx'
import { finishRecovery, type Recovery } from './recovery.ts'
import { SubmitButton } from './SubmitButton.tsx'

type Fields = { password: string; confirmation: string }
type Props = { recovery: Recovery; onDone: () => void; onOver: () => void }

export function ResetPasswordForm({ recovery, onDone, onOver }: Props) {
  const [failure, setFailure] = useState<AuthFailure | null>(null)
  const { register, handleSubmit, setError, control, formState } = useForm<Fields>()
  const password = useWatch({ control, name: 'password' }) ?? ''

  const reset = handleSubmit(async ({ password }) => {
    setFailure(null)
    const outcome = await finishRecovery(recovery, password)
    if (outcome.state === 'done') return onDone()
    const { failure } = outcome
    if (isLinkOver(failure)) return onOver()
    if (failure.code === 'weak_password' || failure.code === 'same_password') {
      return setError('password', { message: failure.text }, { shouldFocus: true })
    }
    setFailure(failure)
  })

  return (
    <form method="post" noValidate onSubmit={(event) => void reset(event)} className="grid gap-5">
      {/* tells password managers whose password this is */}
      <input type="text" name="username" autoComplete="username" value={recovery.email} readOnly hidden />
      <NewPasswordField
        label={m.reset_password()}
        typed={password}
        error={formState.errors.password?.message}
        {...register('password', { validate: newPasswordRule, deps: 'confirmation' })}
      />
      <PasswordField
        label={m.auth_password_confirm()}
        autoComplete="new-password"
        error={formState.errors.confirmation?.message}
        {...register('confirmation', {
          validate: (typed, { password }) => typed === password || m.reset_mismatch(),
        })}
      />
      <FailureNotice failure={failure} />
      <SubmitButton pending={formState.isSubmitting} pendingText={m.reset_pending()}>
        {m.reset_submit()}
      </SubmitButton>
    </form>
  )
}
