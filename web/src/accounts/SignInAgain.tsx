import { useState } from 'react'
import type { AuthFailure } from '~/auth/auth-error-text'
import { FailureNotice } from '~/auth/FailureNotice'
import { passwordRule } from '~/auth/field-rules'
import { useForm } from '~/lib/use-form'
import { useUser } from '~/lib/user'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { Dialog } from '~/ui/Dialog'
import { PasswordField } from '~/ui/PasswordField'
import { withFreshSession } from './fresh-session.ts'

type Props = {
  open: boolean
  onClose: () => void
  /** The password was right; the token is good until this settles. */
  onSignedIn: (token: string) => Promise<void>
}

/** Asks for the password again, for what an open browser must not give away. */
export function SignInAgain({ open, onClose, onSignedIn }: Props) {
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
  const { field, pending, props } = useForm({
    start: { password: '' },
    check: ({ password }) => ({ password: passwordRule(password) }),
    async send({ password }) {
      setFailure(null)
      const outcome = await withFreshSession(email, password, onSignedIn)
      if (outcome.state === 'done') return undefined
      if (outcome.failure.code === 'invalid_credentials') return { password: m.profile_again_wrong() }
      setFailure(outcome.failure)
      return undefined
    },
  })

  return (
    <form method="post" noValidate className="grid gap-5" {...props}>
      {/* tells password managers whose password this is */}
      <input type="text" autoComplete="username" value={email} readOnly hidden />
      <PasswordField label={m.auth_password()} autoComplete="current-password" {...field('password')} />
      <FailureNotice failure={failure} />
      <Button type="submit" variant="primary" pending={pending} pendingText={m.profile_again_checking()}>
        {m.profile_again_continue()}
      </Button>
      <p className="text-sm text-ink-soft">{m.profile_again_none()}</p>
    </form>
  )
}
