import { shownEmail } from '#contract/auth.ts'
import { AuthFailure } from '~/auth/auth-request'
import { ResetPasswordForm } from '~/auth/links/ResetPasswordForm'
import { adoptOpened } from '~/auth/second-factor/reauthenticate'
import { codeOf } from '~/lib/http/api'
import { useUser } from '~/lib/session/user'
import { toast } from '~/lib/toast/toast'
import { m } from '~/paraglide/messages'
import { signedInAuthRequest } from './queries.ts'
import { useReauthentication } from './use-reauthentication.tsx'

const save = (password: string) =>
  signedInAuthRequest<unknown>(m.error_unexpected(), ({ auth }) => auth.updateUser({ password }))

/** Sets the first password of an account. Asks whether it is still the user first when the session is not fresh. */
export function SetPasswordForm({ onDone, onCancel }: { onDone: () => void; onCancel: () => void }) {
  const { ask, dialog } = useReauthentication(m.profile_password_again())

  const savePassword = (password: string) =>
    save(password).catch(async (error: unknown) => {
      if (codeOf(error) !== 'reauthentication_needed') throw error
      const session = await ask()
      if (!session) throw new AuthFailure(m.profile_password_again())
      await adoptOpened(session) // the password ends every session but that it is set in
      return save(password)
    })

  return (
    <>
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
      {dialog}
    </>
  )
}
