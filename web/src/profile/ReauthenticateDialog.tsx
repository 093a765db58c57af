import { useState } from 'react'
import { AuthFailureAlert } from '~/auth/AuthFailureAlert'
import type { AuthFailure } from '~/auth/auth-error-text'
import { authRequest } from '~/auth/auth-request'
import { validatePassword } from '~/auth/validators'
import { useForm } from '~/lib/form/use-form'
import { useUser } from '~/lib/session/user'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { PasswordField } from '~/ui/PasswordField'
import { Dialog } from '~/ui/signed-in/Dialog'

type Props = {
  open: boolean
  onClose: () => void
  /** Called when the password was right. The token is valid until the promise settles. */
  onSignedIn: (token: string) => Promise<void>
}

/** Asks for the password again, before something that an unattended browser must not give away. */
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
      <AuthFailureAlert failure={failure} />
      <Button type="submit" variant="primary" pending={pending} pendingText={m.profile_again_checking()}>
        {m.profile_again_continue()}
      </Button>
      <p className="text-sm text-ink-soft">{m.profile_again_none()}</p>
    </form>
  )
}

/**
 * Opens a separate session with the password, runs `work` with its token, and ends it on the server. The session of
 * this browser stays as it is, so no other tab notices and no draft is lost.
 */
const reauthenticate = (email: string, password: string, work: (token: string) => Promise<void>) =>
  authRequest(m.login_failed(), async ({ createTransientAuth }) => {
    const client = createTransientAuth()
    const { data, error } = await client.signInWithPassword({ email, password })
    if (error) return { data: null, error }
    try {
      await work(data.session.access_token)
    } finally {
      await client.signOut({ scope: 'local' })
    }
    return { data: null, error: null }
  })
