import { useState } from 'react'
import { useNavigate } from 'react-router'
import { normalizeEmail } from '#contract/auth.ts'
import { paths } from '#contract/paths.ts'
import { useForm } from '~/lib/form/use-form'
import { href, Link, stripLocale } from '~/lib/i18n/i18n'
import { m } from '~/paraglide/messages'
import { Card } from '~/ui/Card'
import { EmailField } from '~/ui/EmailField'
import { PageHeader } from '~/ui/PageHeader'
import { PasswordField } from '~/ui/PasswordField'
import type { AuthFailure } from './auth-error-text.ts'
import { authRequest } from './auth-request.ts'
import { FailureAlert } from './FailureAlert.tsx'
import { savePendingSignUp } from './pending-sign-up.ts'
import { redirectTarget } from './redirect-target.ts'
import { SubmitButton } from './SubmitButton.tsx'
import { useRedirectIfAuthenticated } from './use-redirect-if-authenticated.ts'
import { validateLogin } from './validators.ts'

export function LoginPage() {
  const hiddenClass = useRedirectIfAuthenticated()
  const navigate = useNavigate()
  const [failure, setFailure] = useState<AuthFailure | null>(null)

  const form = useForm({
    defaultValues: { email: '', password: '' },
    uncontrolled: true,
    validate: validateLogin,
    async onSubmit({ email: typedEmail, password }) {
      setFailure(null)
      const email = normalizeEmail(typedEmail)
      const outcome = await authRequest(m.login_failed(), async ({ auth }) => {
        const { error } = await auth.signInWithPassword({ email, password })
        return { data: null, error }
      })
      if (outcome.state === 'done') return navigate(href(stripLocale(redirectTarget())), { replace: true })
      if (outcome.failure.code === 'email_not_confirmed') savePendingSignUp(email, password)
      setFailure(outcome.failure)
    },
  })

  return (
    <div className={hiddenClass}>
      <PageHeader title={m.action_log_in()} />
      <Card>
        <form method="post" noValidate className="grid gap-5" {...form.formProps}>
          <EmailField label={m.auth_email()} autoComplete="username" {...form.register('email')} />
          <PasswordField label={m.auth_password()} autoComplete="current-password" {...form.register('password')} />
          <FailureAlert failure={failure}>
            {failure?.code === 'email_not_confirmed' && (
              <Link to={paths.verifyEmail()} className="link justify-self-start py-2.5">
                {m.login_confirm_email()}
              </Link>
            )}
          </FailureAlert>
          <SubmitButton pending={form.pending} pendingText={m.login_pending()}>
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
