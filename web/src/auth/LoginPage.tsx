import { useState } from 'react'
import { useNavigate } from 'react-router'
import { normalizeEmail } from '#contract/auth.ts'
import { paths } from '#contract/paths.ts'
import { href, Link, withoutLocale } from '~/lib/i18n'
import { useForm } from '~/lib/use-form'
import { m } from '~/paraglide/messages'
import { Card } from '~/ui/Card'
import { EmailField } from '~/ui/EmailField'
import { PageHeader } from '~/ui/PageHeader'
import { PasswordField } from '~/ui/PasswordField'
import { attempt } from './attempt.ts'
import type { AuthFailure } from './auth-error-text.ts'
import { FailureNotice } from './FailureNotice.tsx'
import { checkLogIn } from './field-rules.ts'
import { landingPath } from './landing-path.ts'
import { rememberSignUp } from './pending-sign-up.ts'
import { SubmitButton } from './SubmitButton.tsx'
import { useLeaveWhenSignedIn } from './use-leave-when-signed-in.ts'

export function LoginPage() {
  const hiddenWhileLeaving = useLeaveWhenSignedIn()
  const navigate = useNavigate()
  const [failure, setFailure] = useState<AuthFailure | null>(null)

  const form = useForm({
    start: { email: '', password: '' },
    prerendered: true,
    check: checkLogIn,
    async send({ email: typed, password }) {
      setFailure(null)
      const email = normalizeEmail(typed)
      const outcome = await attempt(m.login_failed(), async ({ auth }) => {
        const { error } = await auth.signInWithPassword({ email, password })
        return { data: null, error }
      })
      if (outcome.state === 'done') return navigate(href(withoutLocale(landingPath())), { replace: true })
      if (outcome.failure.code === 'email_not_confirmed') rememberSignUp(email, password)
      setFailure(outcome.failure)
    },
  })

  return (
    <div className={hiddenWhileLeaving}>
      <PageHeader title={m.action_log_in()} />
      <Card>
        <form method="post" noValidate className="grid gap-5" {...form.props}>
          <EmailField label={m.auth_email()} autoComplete="username" {...form.field('email')} />
          <PasswordField label={m.auth_password()} autoComplete="current-password" {...form.field('password')} />
          <FailureNotice failure={failure}>
            {failure?.code === 'email_not_confirmed' && (
              <Link to={paths.verifyEmail()} className="link justify-self-start py-2.5">
                {m.login_confirm_email()}
              </Link>
            )}
          </FailureNotice>
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
