import { useRef, useState } from 'react'
import { hasPassword, useUser } from '~/lib/session/user'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { Skeleton } from '~/ui/Skeleton'
import { LoadedPart } from '~/ui/signed-in/LoadedPart'
import { ProfileSection, sectionButtonClass } from './frame/ProfileSection.tsx'
import { PasswordReset } from './PasswordReset.tsx'

// loaded on demand, once in the life of an account
const loadSetPassword = () => import('./SetPasswordForm.tsx')

/** Emails a link to choose another password, or lets an account without one set it here. */
export function Password() {
  const section = useRef<HTMLDivElement>(null)
  return (
    <div ref={section} tabIndex={-1} className="rounded-lg">
      {/* the form is gone with its last button */}
      {hasPassword(useUser()) ? <PasswordReset /> : <FirstPassword onDone={() => section.current?.focus()} />}
    </div>
  )
}

function FirstPassword({ onDone }: { onDone: () => void }) {
  const [isSetting, setSetting] = useState(false)
  return (
    <ProfileSection title={m.profile_password()} intro={m.profile_password_none()}>
      {isSetting ? (
        <LoadedPart name="set password" load={loadSetPassword} skeleton={<Skeleton className="h-12 w-full" />}>
          {({ SetPasswordForm }) => <SetPasswordForm onDone={onDone} />}
        </LoadedPart>
      ) : (
        <Button className={sectionButtonClass} onClick={() => setSetting(true)}>
          {m.profile_password_set()}
        </Button>
      )}
    </ProfileSection>
  )
}
