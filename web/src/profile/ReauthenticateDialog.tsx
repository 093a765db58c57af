import { useState } from 'react'
import type { AuthFailure } from '~/auth/auth-error-text'
import { FailureAlert } from '~/auth/FailureAlert'
import { validatePassword } from '~/auth/validators'
import { useForm } from '~/lib/form/use-form'
import { useUser } from '~/lib/session/user'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { PasswordField } from '~/ui/PasswordField'
import { Dialog } from '~/ui/signed-in/Dialog'
import { reauthenticate } from './reauthenticate.ts'

type Props = {
  open: boolean
  onClose: () => void
  /** The password was right; the token is good until this settles. */
  onSignedIn: (token: string) => Promise<void>
}

/** Asks for the password again, for what an open browser must not give away. */
export function ReauthenticateDialog({ open, onClose, onSignedIn }: Props) {
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title={m.profile_again_title()}
      description={m.profile_again_text()}
      initialFocus={() => document.querySelector<HTMLInputElement>('dialog input[name=password]')}
    >
      <PasswordForm onSignedIn={onSignedIn} />
    </Dialog>
  )
}

function PasswordForm({ onSignedIn }: Pick<Props, 'onSignedIn'>) {
  const { email = '' } = useUser()
  const [failure, setFailure] = useState<AuthFailure | null>(null)
  const { register, pending, formProps } = useForm({
    defaultValues: { password: '' },
    validate: ({ password }) => ({ password: validatePassword(password) }),
    async onSubmit({ password }) {
      setFailure(null)
      const outcome = await reauthenticate(email, password, onSignedIn)
      if (outcome.state === 'done') return undefined
      if (outcome.failure.code === 'invalid_credentials') return { password: m.profile_again_wrong() }
      setFailure(outcome.failure)
      return undefined
    },
  })

  return (
    <form method="post" noValidate className="grid gap-5" {...formProps}>
      {/* tells password managers whose password this is */}
      <input type="text" autoComplete="username" value={email} readOnly hidden />
      <PasswordField label={m.auth_password()} autoComplete="current-password" {...register('password')} />
      <FailureAlert failure={failure} />
      <Button type="submit" variant="primary" pending={pending} pendingText={m.profile_again_checking()}>
        {m.profile_again_continue()}
      </Button>
      <p className="text-sm text-ink-soft">{m.profile_again_none()}</p>
    </form>
  )
}
