import { useRef } from 'react'
import { shownEmail } from '#contract/auth.ts'
import type { AuthResult } from '~/auth/auth-request'
import { ResetPasswordForm } from '~/auth/links/ResetPasswordForm'
import { adoptSession, type OpenedSession } from '~/auth/second-factor/reauthenticate'
import { useUser } from '~/lib/session/user'
import { toast } from '~/lib/toast/toast'
import { m } from '~/paraglide/messages'
import { signedInAuthRequest } from './signed-in-auth-request.ts'
import { useReauthentication } from './use-reauthentication.ts'

const save = (password: string) =>
  signedInAuthRequest<unknown>(m.error_unexpected(), ({ auth }) => auth.updateUser({ password }))

/** Focuses the first field, which a press of a button has added. One function for all renders, so that it runs once. */
const focusField = (box: HTMLElement | null) => box?.querySelector<HTMLElement>('[name=password]')?.focus()

/** Sets the first password of an account. Asks whether it is still the user first when the session is not fresh. */
export function SetPasswordForm({ onDone }: { onDone: () => void }) {
  const answer = useRef<(result: AuthResult<OpenedSession>) => void>(undefined)
  const reauthentication = useReauthentication({
    onFailure: (failure) => answer.current?.({ state: 'failed', failure }),
  })

  const savePassword = async (password: string) => {
    const outcome = await save(password)
    if (outcome.state === 'done' || outcome.failure.code !== 'reauthentication_needed') return outcome
    const opened = await new Promise<AuthResult<OpenedSession>>((resolve) => {
      answer.current = resolve
      void reauthentication.open()
    })
    if (opened.state === 'failed') return opened
    // the password ends every session but that it is set in
    const adopted = await adoptSession(opened.data)
    return adopted.state === 'failed' ? adopted : save(password)
  }

  return (
    <>
      <div ref={focusField}>
        <ResetPasswordForm
          email={shownEmail(useUser())}
          savePassword={savePassword}
          submitText={m.profile_password_save()}
          onDone={() => {
            toast.success(m.profile_password_saved())
            onDone()
          }}
          onExpired={() => toast.error(m.profile_session_over())}
        />
      </div>
      {reauthentication.Dialog && (
        <reauthentication.Dialog
          open={reauthentication.isOpen}
          reason={m.profile_password_again()}
          onClose={() => {
            reauthentication.close()
            const failure = { code: undefined, text: m.profile_password_again() }
            answer.current?.({ state: 'failed', failure })
          }}
          onSignedIn={async (data) => {
            reauthentication.close()
            answer.current?.({ state: 'done', data })
          }}
        />
      )}
    </>
  )
}
