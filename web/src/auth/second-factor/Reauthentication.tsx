import { useState } from 'react'
import { shownEmail } from '#contract/auth.ts'
import { AuthForm, validatePassword } from '~/auth/AuthForm'
import { emailCode } from '~/auth/pending-sign-up'
import { useForm } from '~/lib/form/use-form'
import { codeOf } from '~/lib/http/api'
import { useAttempt } from '~/lib/http/use-attempt'
import { verbatim } from '~/lib/i18n/verbatim'
import { getSession } from '~/lib/session/tab-session'
import { hasPassword } from '~/lib/session/user'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { AnnouncedFailure } from '~/ui/FailureAlert'
import { PasswordField } from '~/ui/PasswordField'
import { EmailedCodeForm } from './EmailedCodeForm.tsx'
import { type OpenedSession, openSession } from './reauthenticate.ts'

type Props = {
  /** Called with the session that was opened. It may still have to be verified with a second factor. */
  onOpened: (session: OpenedSession) => Promise<void>
  /** The code has just been emailed, and only it will do. */
  isCodeSent?: boolean
}

/** Asks whether it is still the user: for the password of an account that has one, or for a code that is emailed. */
export function Reauthentication({ onOpened, isCodeSent = false }: Props) {
  const [user] = useState(() => getSession()?.user)
  const [sentCount, setSentCount] = useState(isCodeSent ? 1 : 0)
  const { pending, failure, attempt } = useAttempt()
  if (!user) return null // it ended in another tab, and the page is being left
  const email = shownEmail(user)

  const send = async () => {
    await emailCode(email, false)
    setSentCount((count) => count + 1)
  }
  const submitCode = async (token: string) => onOpened(await openSession(email, { token }))
  const sendButton = (text: string, variant?: 'primary') => (
    <Button
      name="send-code"
      variant={variant}
      pending={pending !== null}
      pendingText={m.profile_again_sending()}
      onClick={() => void attempt(send)}
    >
      {text}
    </Button>
  )

  if (sentCount > 0) {
    return (
      <div className="grid gap-5">
        <p role="status">{sentCount > 1 ? m.code_resent() : verbatim(m.profile_again_sent({ email }), email)}</p>
        <EmailedCodeForm key={sentCount} onSubmit={submitCode} />
        <AnnouncedFailure failure={failure} />
        {sendButton(m.code_resend())}
      </div>
    )
  }
  return (
    <div className="grid gap-5">
      {hasPassword(user) ? (
        <>
          <PasswordForm email={email} onOpened={onOpened} />
          <AnnouncedFailure failure={failure} />
          {sendButton(m.profile_again_code())}
        </>
      ) : (
        <>
          <p>{verbatim(m.profile_again_send({ email }), email)}</p>
          <AnnouncedFailure failure={failure} />
          {sendButton(m.login_code(), 'primary')}
        </>
      )}
    </div>
  )
}

function PasswordForm({ email, onOpened }: { email: string } & Props) {
  const form = useForm({
    defaultValues: { password: '' },
    validate: ({ password }) => ({ password: validatePassword(password) }),
    onSubmit: async ({ password }) => onOpened(await openSession(email, { password })),
    fieldError: (error) =>
      codeOf(error) === 'invalid_credentials' ? { password: m.profile_again_wrong() } : undefined,
  })
  return (
    <AuthForm
      form={form}
      submitClass=""
      submitText={m.profile_again_continue()}
      pendingText={m.profile_again_checking()}
    >
      {/* tells password managers whose password this is */}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <PasswordField label={m.auth_password()} autoComplete="current-password" {...form.register('password')} />
    </AuthForm>
  )
}
