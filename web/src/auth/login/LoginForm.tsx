import { type ReactNode, useState } from 'react'
import { useLocation } from 'react-router'
import { trimEmail } from '#contract/addresses.ts'
import { paths } from '#contract/paths.ts'
import { AuthFailureAlert } from '~/auth/AuthFailureAlert'
import type { AuthFailure } from '~/auth/auth-error-text'
import { SubmitButton } from '~/auth/SubmitButton'
import { validatePassword } from '~/auth/validators'
import { useWantedPage } from '~/auth/WantedPage'
import { validateEmail } from '~/lib/address/validate-email'
import { useForm } from '~/lib/form/use-form'
import { Link } from '~/lib/i18n/i18n'
import { m } from '~/paraglide/messages'
import { EmailField } from '~/ui/Field'
import { PasswordField } from '~/ui/PasswordField'

type Props = {
  submitText: string
  pendingText: string
  /** Signs in and leaves the page; returns why that failed, or null. */
  onSubmit: (email: string, password: string) => Promise<AuthFailure | null>
  /** Returns the way out of a failure, shown below its text. */
  failureAction?: (failure: AuthFailure) => ReactNode
  /** Emails a code instead of asking for the password, and leaves the page; returns why that failed, or null. */
  onCode?: (email: string) => Promise<AuthFailure | null>
}

/** Asks for an email address and a password, and links to the page for a forgotten one. */
export function LoginForm({ submitText, pendingText, onSubmit, failureAction, onCode }: Props) {
  const { state } = useLocation() as { state: { email?: string } | null }
  const wanted = useWantedPage()
  const [failure, setFailure] = useState<AuthFailure | null>(null)
  const form = useForm({
    defaultValues: { email: '', password: '' },
    uncontrolled: true,
    validate: ({ email, password }) => ({ email: validateEmail(email), password: validatePassword(password) }),
    async onSubmit({ email, password }) {
      setFailure(null)
      const failed = await onSubmit(trimEmail(email), password)
      if (failed) setFailure(failed)
    },
  })

  const loginForm = (
    <form method="post" noValidate className="grid gap-5" {...form.formProps}>
      <EmailField
        label={m.auth_email()}
        autoComplete="username"
        defaultValue={state?.email} // typed before, and to be corrected
        {...form.register('email')}
      />
      <PasswordField label={m.auth_password()} autoComplete="current-password" {...form.register('password')} />
      <AuthFailureAlert failure={failure}>{failure && failureAction?.(failure)}</AuthFailureAlert>
      <SubmitButton pending={form.pending} pendingText={pendingText}>
        {submitText}
      </SubmitButton>
      <Link to={paths.forgotPassword(wanted)} className="link justify-self-center py-2.5">
        {m.login_forgot()}
      </Link>
    </form>
  )
  if (!onCode) return loginForm
  const requestCode = async () => (form.checkField('email') ? onCode(trimEmail(form.getValues().email)) : null)
  return (
    <>
      {loginForm}
      <CodeRequest onSubmit={requestCode} />
    </>
  )
}

/** Offers a code by email in place of the password. A form of its own, so that a press before hydration is not lost. */
function CodeRequest({ onSubmit }: { onSubmit: () => Promise<AuthFailure | null> }) {
  const [failure, setFailure] = useState<AuthFailure | null>(null)
  const form = useForm({
    defaultValues: {},
    validate: () => ({}),
    async onSubmit() {
      setFailure(null)
      setFailure(await onSubmit())
    },
  })
  return (
    <form method="post" noValidate className="mt-3 grid gap-4 border-t border-line pt-5" {...form.formProps}>
      <p className="text-center text-balance text-ink-soft">{m.login_code_hint()}</p>
      <AuthFailureAlert failure={failure} />
      <SubmitButton variant="secondary" pending={form.pending} pendingText={m.verify_resend_pending()}>
        {m.login_code()}
      </SubmitButton>
    </form>
  )
}
