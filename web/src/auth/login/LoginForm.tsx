import type { ReactNode } from 'react'
import { useLocation } from 'react-router'
import { trimEmail } from '#contract/addresses.ts'
import { paths } from '#contract/paths.ts'
import { AuthForm, validatePassword } from '~/auth/AuthForm'
import { typedBefore } from '~/auth/pending-sign-up'
import { useWantedPage } from '~/auth/sign-in-pages'
import { validateEmail } from '~/lib/address/validate-email'
import { useForm } from '~/lib/form/use-form'
import { Link } from '~/lib/i18n/i18n'
import { m } from '~/paraglide/messages'
import { EmailField } from '~/ui/Field'
import { PasswordField } from '~/ui/PasswordField'

type Props = {
  submitText: string
  pendingText: string
  /** Signs in and leaves the page, or throws why that failed. */
  onSubmit: (email: string, password: string) => Promise<void>
  /** Returns the way out of a failure, shown below its text. */
  failureAction?: (failure: unknown) => ReactNode
  /** Emails a code instead of asking for the password, and leaves the page, or throws why that failed. */
  onCode?: (email: string) => Promise<void>
}

/** Asks for an email address and a password, and links to the page for a forgotten one. */
export function LoginForm({ submitText, pendingText, onSubmit, failureAction, onCode }: Props) {
  const before = typedBefore(useLocation().state as { email?: string } | null)
  const wanted = useWantedPage()
  const form = useForm({
    defaultValues: { email: '', password: '' },
    uncontrolled: true,
    validate: ({ email, password }) => ({ email: validateEmail(email), password: validatePassword(password) }),
    onSubmit: ({ email, password }) => onSubmit(trimEmail(email), password),
  })
  // a form of its own, so that a press before hydration is not lost
  const codeRequest = useForm({
    async onSubmit() {
      if (form.checkField('email')) await onCode?.(trimEmail(form.getValues().email))
    },
  })

  return (
    <>
      <AuthForm
        form={form}
        submitText={submitText}
        pendingText={pendingText}
        wayOut={failureAction?.(form.failure)}
        footer={
          <Link to={paths.forgotPassword(wanted)} className="link justify-self-center py-2.5">
            {m.login_forgot()}
          </Link>
        }
      >
        <EmailField
          label={m.auth_email()}
          autoComplete="username"
          defaultValue={before?.email} // typed before, and to be corrected
          {...form.register('email')}
        />
        <PasswordField label={m.auth_password()} autoComplete="current-password" {...form.register('password')} />
      </AuthForm>
      {onCode && (
        <AuthForm
          form={codeRequest}
          variant="secondary"
          submitText={m.login_code()}
          pendingText={m.verify_resend_pending()}
          className="mt-3 grid gap-4 border-t border-line pt-5"
        >
          <p className="text-center text-balance text-ink-soft">{m.login_code_hint()}</p>
        </AuthForm>
      )}
    </>
  )
}
