import { useRef, useState } from 'react'
import { shownEmail } from '#contract/auth.ts'
import { paths } from '#contract/paths.ts'
import { useAttempt } from '~/lib/http/use-attempt'
import { href } from '~/lib/i18n/i18n'
import { verbatim } from '~/lib/i18n/verbatim'
import { hasPassword, useUser } from '~/lib/session/user'
import { toast } from '~/lib/toast/toast'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { AnnouncedFailure } from '~/ui/FailureAlert'
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
  const [isSent, setSent] = useState(false)
  const { pending, failure, attempt } = useAttempt()

  const send = async () => {
    setSent(false)
    const redirectTo = location.origin + href(paths.resetPassword())
    await signedInAuthRequest(m.error_unexpected(), ({ auth }) => auth.resetPasswordForEmail(email, { redirectTo }))
    setSent(true)
    toast.success(m.profile_password_sent())
  }

  return (
    <ProfileSection title={m.profile_password()} intro={m.profile_password_intro()}>
      <AnnouncedFailure failure={failure} />
      {isSent && <p>{verbatim(m.profile_password_sent_to({ email }), email)}</p>}
      <Button
        className={sectionButtonClass}
        pending={pending !== null}
        pendingText={m.profile_password_sending()}
        onClick={() => void attempt(send)}
      >
        {m.profile_password_send()}
      </Button>
    </ProfileSection>
  )
}
