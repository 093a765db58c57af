import { useState } from 'react'
import { shownEmail } from '#contract/auth.ts'
import { paths } from '#contract/paths.ts'
import { AuthFailureAlert } from '~/auth/AuthFailureAlert'
import type { AuthFailure } from '~/auth/auth-error-text'
import { href } from '~/lib/i18n/i18n'
import { useUser } from '~/lib/session/user'
import { toast } from '~/lib/toast/toast'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { ProfileSection, sectionButtonClass } from './frame/ProfileSection.tsx'
import { signedInAuthRequest } from './signed-in-auth-request.ts'

/** Emails the user a link to choose a new password, as /forgot-password does. */
export function PasswordReset() {
  const email = shownEmail(useUser())
  const [state, setState] = useState<'idle' | 'sending' | 'sent'>('idle')
  const [failure, setFailure] = useState<AuthFailure | null>(null)

  const send = async () => {
    setFailure(null)
    setState('sending')
    const redirectTo = location.origin + href(paths.resetPassword())
    const outcome = await signedInAuthRequest(m.error_unexpected(), ({ auth }) =>
      auth.resetPasswordForEmail(email, { redirectTo }),
    )
    if (outcome.state === 'failed') {
      setState('idle')
      return setFailure(outcome.failure)
    }
    setState('sent')
    toast.success(m.profile_password_sent())
  }

  return (
    <ProfileSection title={m.profile_password()} intro={m.profile_password_intro()}>
      <AuthFailureAlert failure={failure} />
      {state === 'sent' && <p className="wrap-anywhere">{m.profile_password_sent_to({ email })}</p>}
      <Button
        className={sectionButtonClass}
        pending={state === 'sending'}
        pendingText={m.profile_password_sending()}
        onClick={() => void send()}
      >
        {m.profile_password_send()}
      </Button>
    </ProfileSection>
  )
}
