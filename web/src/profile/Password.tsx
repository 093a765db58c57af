import { useRef, useState } from 'react'
import { shownEmail } from '#contract/auth.ts'
import { paths } from '#contract/paths.ts'
import { AuthFailureAlert } from '~/auth/AuthFailureAlert'
import type { AuthFailure } from '~/auth/auth-error-text'
import { href } from '~/lib/i18n/i18n'
import { hasPassword, useUser } from '~/lib/session/user'
import { toast } from '~/lib/toast/toast'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { Skeleton } from '~/ui/Skeleton'
import { LoadedPart } from '~/ui/signed-in/LoadedPart'
import { ProfileSection, sectionButtonClass } from './frame/ProfileSection.tsx'
import { signedInAuthRequest } from './queries.ts'

// loaded on demand, once in the life of an account
const loadSetPassword = () => import('./SetPasswordForm.tsx')

/** Emails a link to choose another password, or lets an account without one set it here. */
export function Password() {
  const section = useRef<HTMLDivElement>(null)
  return (
    <div ref={section} tabIndex={-1} className="rounded-lg">
      {/* the form is gone with its last button */}
      {hasPassword(useUser()) ? <PasswordReset /> : <FirstPassword focusSection={() => section.current?.focus()} />}
    </div>
  )
}

function FirstPassword({ focusSection }: { focusSection: () => void }) {
  const [isSetting, setSetting] = useState(false)
  const cancel = () => {
    setSetting(false)
    focusSection()
  }
  return (
    <ProfileSection title={m.profile_password()} intro={m.profile_password_none()}>
      {isSetting ? (
        <LoadedPart name="set password" load={loadSetPassword} skeleton={<Skeleton className="h-12 w-full" />}>
          {({ SetPasswordForm }) => <SetPasswordForm onDone={focusSection} onCancel={cancel} />}
        </LoadedPart>
      ) : (
        <Button className={sectionButtonClass} onClick={() => setSetting(true)}>
          {m.profile_password_set()}
        </Button>
      )}
    </ProfileSection>
  )
}

/** Emails the user a link to choose a new password, as /forgot-password does. */
function PasswordReset() {
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
