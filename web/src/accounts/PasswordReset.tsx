import { useState } from 'react'
import { paths } from '#contract/paths.ts'
import type { AuthFailure } from '~/auth/auth-error-text'
import { FailureNotice } from '~/auth/FailureNotice'
import { href } from '~/lib/i18n'
import { toast } from '~/lib/toast'
import { useUser } from '~/lib/user'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { attemptSignedIn } from './attempt-signed-in.ts'
import { Section, sectionButton } from './Section.tsx'

/** A new password is chosen through a link to the own mailbox, as on /forgot-password. */
export function PasswordReset() {
  const { email = '' } = useUser()
  const [state, setState] = useState<'idle' | 'sending' | 'sent'>('idle')
  const [failure, setFailure] = useState<AuthFailure | null>(null)

  const send = async () => {
    setFailure(null)
    setState('sending')
    const redirectTo = location.origin + href(paths.resetPassword())
    const outcome = await attemptSignedIn(m.error_unexpected(), ({ auth }) =>
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
    <Section title={m.profile_password()} intro={m.profile_password_intro()}>
      <FailureNotice failure={failure} />
      {state === 'sent' && <p className="wrap-anywhere">{m.profile_password_sent_to({ email })}</p>}
      <Button
        className={sectionButton}
        pending={state === 'sending'}
        pendingText={m.profile_password_sending()}
        onClick={() => void send()}
      >
        {m.profile_password_send()}
      </Button>
    </Section>
  )
}
