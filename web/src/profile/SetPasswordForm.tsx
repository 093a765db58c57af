import { shownEmail } from '#contract/auth.ts'
import { apiFailure } from '~/auth/AuthFailureAlert'
import type { AuthResult } from '~/auth/auth-request'
import { ResetPasswordForm } from '~/auth/links/ResetPasswordForm'
import { adoptSession } from '~/auth/second-factor/reauthenticate'
import { useUser } from '~/lib/session/user'
import { toast } from '~/lib/toast/toast'
import { m } from '~/paraglide/messages'
import { signedInAuthRequest } from './queries.ts'
import { useReauthentication } from './use-reauthentication.tsx'

const save = (password: string) =>
  signedInAuthRequest<unknown>(m.error_unexpected(), ({ auth }) => auth.updateUser({ password }))

/** Focuses the first field, which a press of a button has added. One function for all renders, so that it runs once. */
const focusField = (box: HTMLElement | null) => box?.querySelector<HTMLElement>('[name=password]')?.focus()

/** Sets the first password of an account. Asks whether it is still the user first when the session is not fresh. */
export function SetPasswordForm({ onDone, onCancel }: { onDone: () => void; onCancel: () => void }) {
  const { ask, dialog } = useReauthentication(m.profile_password_again())

  const savePassword = async (password: string): Promise<AuthResult<unknown>> => {
    const outcome = await save(password)
    if (outcome.state === 'done' || outcome.failure.code !== 'reauthentication_needed') return outcome
    try {
      const session = await ask()
      if (!session) return { state: 'failed', failure: { code: undefined, text: m.profile_password_again() } }
      // the password ends every session but that it is set in
      const adopted = await adoptSession(session)
      return adopted.state === 'failed' ? adopted : save(password)
    } catch (error) {
      return { state: 'failed', failure: apiFailure(error) }
    }
  }

  return (
    <>
      <div ref={focusField}>
        <ResetPasswordForm
          email={shownEmail(useUser())}
          savePassword={savePassword}
          submitText={m.profile_password_save()}
          onCancel={onCancel}
          onDone={() => {
            toast.success(m.profile_password_saved())
            onDone()
          }}
          onExpired={() => toast.error(m.profile_session_over())}
        />
      </div>
      {dialog}
    </>
  )
}
