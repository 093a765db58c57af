import { useState } from 'react'
import { useNavigate } from 'react-router'
import { FULL_NAME_MAX, normalizeEmail } from '#contract/auth.ts'
import { paths } from '#contract/paths.ts'
import { getLocale, href, Link } from '~/lib/i18n'
import { useForm, type Verdict } from '~/lib/use-form'
import { m } from '~/paraglide/messages'
import { Card } from '~/ui/Card'
import { Checkbox } from '~/ui/Checkbox'
import { EmailField } from '~/ui/EmailField'
import { TextField } from '~/ui/Field'
import { PageHeader } from '~/ui/PageHeader'
import { PasswordField } from '~/ui/PasswordField'
import { attempt } from './attempt.ts'
import type { AuthFailure } from './auth-error-text.ts'
import { FailureNotice } from './FailureNotice.tsx'
import { emailRule, nameRule, newPasswordRule } from './field-rules.ts'
import { NewPasswordField } from './NewPasswordField.tsx'
import { rememberSignUp } from './pending-sign-up.ts'
import { SubmitButton } from './SubmitButton.tsx'
import { TermsLabel } from './TermsLabel.tsx'
import { useLeaveWhenSignedIn } from './use-leave-when-signed-in.ts'
import { verifyEmailUrl } from './verify-email-url.ts'

type Fields = { fullName: string; email: string; password: string; confirmation: string; terms: string }

const START: Fields = { fullName: '', email: '', password: '', confirmation: '', terms: '' }

const check = ({ fullName, email, password, confirmation, terms }: Fields): Verdict<Fields> => ({
  fullName: nameRule(fullName),
  email: emailRule(email),
  password: newPasswordRule(password),
  confirmation: confirmation === password || m.signup_mismatch(),
  terms: terms !== '' || m.signup_terms_missing(),
})

export function SignupPage() {
  const hiddenWhileLeaving = useLeaveWhenSignedIn()
  const navigate = useNavigate()
  const [failure, setFailure] = useState<AuthFailure | null>(null)
  const form = useForm({ start: START, prerendered: true, check, send: signUp })

  async function signUp({ fullName, email: typed, password }: Fields) {
    setFailure(null)
    const email = normalizeEmail(typed)
    const outcome = await attempt(m.signup_failed(), ({ auth }) =>
      auth.signUp({
        email,
        password,
        options: { data: { full_name: fullName.trim(), locale: getLocale() }, emailRedirectTo: verifyEmailUrl() },
      }),
    )
    if (outcome.state === 'failed') return refuse(outcome.failure)
    const { user, session } = outcome.data
    // the protocol's way to say that the address has an account (auth contract §1.1)
    if (user?.identities?.length === 0) return refuse({ code: 'user_already_exists', text: m.signup_exists() })
    // where addresses confirm themselves there is a session already
    if (!session) rememberSignUp(email, password)
    await navigate(href(session ? paths.dashboard() : paths.verifyEmail()), { replace: session !== null })
    return undefined
  }

  function refuse(refused: AuthFailure): Verdict<Fields> | undefined {
    const field = FIELD_OF_CODE[refused.code ?? '']
    if (field) return { [field]: refused.text }
    setFailure(refused)
    return undefined
  }

  return (
    <div className={hiddenWhileLeaving}>
      <PageHeader title={m.signup_title()}>
        <p>{m.signup_intro()}</p>
      </PageHeader>
      <Card>
        <form method="post" noValidate className="grid gap-5" {...form.props}>
          <TextField
            label={m.signup_name()}
            autoComplete="name"
            maxLength={FULL_NAME_MAX}
            {...form.field('fullName')}
          />
          <EmailField label={m.auth_email()} {...form.field('email')} />
          <NewPasswordField label={m.auth_password()} typed={form.values.password} {...form.field('password')} />
          <PasswordField
            label={m.auth_password_confirm()}
            autoComplete="new-password"
            {...form.field('confirmation')}
          />
          <Checkbox label={<TermsLabel />} {...form.field('terms')} />
          <FailureNotice failure={failure} />
          <SubmitButton pending={form.pending} pendingText={m.signup_pending()}>
            {m.action_sign_up()}
          </SubmitButton>
        </form>
      </Card>
      <p className="pt-6 text-center text-ink-soft">
        {m.signup_have_account()}{' '}
        <Link to={paths.login()} className="link inline-block py-2.5">
          {m.action_log_in()}
        </Link>
      </p>
    </div>
  )
}

/** Refusals that are about one field, which then says so. */
const FIELD_OF_CODE: Record<string, keyof Fields> = { user_already_exists: 'email', weak_password: 'password' }
