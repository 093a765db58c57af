import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { useNavigate } from 'react-router'
import { normalizeEmail } from '#contract/auth.ts'
import { paths } from '#contract/paths.ts'
import { href, Link, withoutLocale } from '~/lib/i18n'
import { m } from '~/paraglide/messages'
import { Card } from '~/ui/Card'
import { TextField } from '~/ui/Field'
import { PageHeader } from '~/ui/PageHeader'
import { PasswordField } from '~/ui/PasswordField'
import { attempt } from './attempt.ts'
import type { AuthFailure } from './auth-error-text.ts'
import { FailureNotice } from './FailureNotice.tsx'
import { emailRule, passwordRule } from './field-rules.ts'
import { landingPath } from './landing-path.ts'
import { rememberSignUp } from './pending-sign-up.ts'
import { SubmitButton } from './SubmitButton.tsx'
import { useLeaveWhenSignedIn } from './use-leave-when-signed-in.ts'

type Fields = { email: string; password: string }

export function LoginPage() {
  const hiddenWhileLeaving = useLeaveWhenSignedIn()
  const navigate = useNavigate()
  const [failure, setFailure] = useState<AuthFailure | null>(null)
  // no default values: what was typed, or filled in by the browser, before the scripts ran stays
  const { register, handleSubmit, formState } = useForm<Fields>()

  const logIn = handleSubmit(async ({ email: typed, password }) => {
    setFailure(null)
    const email = normalizeEmail(typed)
    const outcome = await attempt(m.login_failed(), async ({ auth }) => {
      const { error } = await auth.signInWithPassword({ email, password })
      return { data: null, error }
    })
    if (outcome.state === 'done') return navigate(href(withoutLocale(landingPath())), { replace: true })
    if (outcome.failure.code === 'email_not_confirmed') rememberSignUp(email, password)
    setFailure(outcome.failure)
  })

  return (
    <div className={hiddenWhileLeaving}>
      <PageHeader title={m.action_log_in()} />
      <Card>
        <form method="post" noValidate onSubmit={(event) => void logIn(event)} className="grid gap-5">
          <TextField
            label={m.auth_email()}
            type="email"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            error={formState.errors.email?.message}
            {...register('email', { validate: emailRule })}
          />
          <PasswordField
            label={m.auth_password()}
            autoComplete="current-password"
            error={formState.errors.password?.message}
            {...register('password', { validate: passwordRule })}
          />
          <FailureNotice failure={failure}>
            {failure?.code === 'email_not_confirmed' && (
              <Link to={paths.verifyEmail()} className="link justify-self-start py-2.5">
                {m.login_confirm_email()}
              </Link>
            )}
          </FailureNotice>
          <SubmitButton pending={formState.isSubmitting} pendingText={m.login_pending()}>
            {m.action_log_in()}
          </SubmitButton>
          <Link to={paths.forgotPassword()} className="link justify-self-center py-2.5">
            {m.login_forgot()}
          </Link>
        </form>
      </Card>
      <p className="pt-6 text-center text-ink-soft">
        {m.login_no_account()}{' '}
        <Link to={paths.signup()} className="link inline-block py-2.5">
          {m.action_sign_up()}
        </Link>
      </p>
    </div>
  )
}
