import { Info, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { normalizeEmail } from '#contract/auth.ts'
import { paths } from '#contract/paths.ts'
import { PRODUCT } from '#contract/product.ts'
import type { AuthFailure } from '~/auth/auth-error-text'
import { FailureAlert } from '~/auth/FailureAlert'
import { SubmitButton } from '~/auth/SubmitButton'
import { validateLogin } from '~/auth/validators'
import { useForm } from '~/lib/form/use-form'
import { href, Link } from '~/lib/i18n/i18n'
import { m } from '~/paraglide/messages'
import { Card } from '~/ui/Card'
import { EmailField } from '~/ui/EmailField'
import { PageHeader } from '~/ui/PageHeader'
import { PasswordField } from '~/ui/PasswordField'
import { adminRedirectTarget } from './redirect-target.ts'
import { signInAsAdmin } from './sign-in-as-admin.ts'
import { useRedirectIfAdmin } from './use-redirect-if-admin.ts'

/** /admin/login: the door of the admin area (requirements §2). */
export function AdminLoginPage() {
  const { hidden, signedInAs } = useRedirectIfAdmin()
  const navigate = useNavigate()
  const [failure, setFailure] = useState<AuthFailure | null>(null)

  const form = useForm({
    defaultValues: { email: '', password: '' },
    uncontrolled: true,
    validate: validateLogin,
    async onSubmit({ email, password }) {
      setFailure(null)
      const outcome = await signInAsAdmin(normalizeEmail(email), password)
      if (outcome.state === 'failed') return setFailure(outcome.failure)
      return navigate(href(adminRedirectTarget()), { replace: true })
    },
  })

  return (
    <div className={hidden}>
      <ShieldCheck aria-hidden="true" className="mb-3 size-10 text-pine" strokeWidth={1.5} />
      <PageHeader title={m.admin_login_title()}>{m.admin_login_intro({ product: PRODUCT })}</PageHeader>
      <Card className="grid gap-5">
        {signedInAs !== null && (
          <p className="flex items-start gap-3 rounded-xl bg-pine-soft p-4">
            <Info aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-pine" />
            <span className="min-w-0 wrap-anywhere">{m.admin_login_other({ email: signedInAs })}</span>
          </p>
        )}
        <form method="post" noValidate className="grid gap-5" {...form.formProps}>
          <EmailField label={m.auth_email()} autoComplete="username" {...form.register('email')} />
          <PasswordField label={m.auth_password()} autoComplete="current-password" {...form.register('password')} />
          <FailureAlert failure={failure} />
          <SubmitButton pending={form.pending} pendingText={m.admin_login_pending()}>
            {m.admin_login_submit()}
          </SubmitButton>
          <Link to={paths.forgotPassword()} className="link justify-self-center py-2.5">
            {m.login_forgot()}
          </Link>
        </form>
      </Card>
      <p className="pt-6 text-center text-ink-soft">
        {m.admin_login_own_account()}{' '}
        <Link to={paths.login()} className="link inline-block py-2.5">
          {m.action_log_in()}
        </Link>
      </p>
    </div>
  )
}
