import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { useNavigate } from 'react-router'
import { FULL_NAME_MAX, normalizeEmail } from '#contract/auth.ts'
import { paths } from '#contract/paths.ts'
import { getLocale, href, Link } from '~/lib/i18n'
import { m } from '~/paraglide/messages'
import { Card } from '~/ui/Card'
import { Checkbox } from '~/ui/Checkbox'
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

type Fields = { fullName: string; email: string; password: string; confirmation: string; terms: boolean }

export function SignupPage() {
  const hiddenWhileLeaving = useLeaveWhenSignedIn()
  const navigate = useNavigate()
  const [failure, setFailure] = useState<AuthFailure | null>(null)
  // no default values: what was typed, or filled in by the browser, before the scripts ran stays
  const { register, handleSubmit, setError, control, formState } = useForm<Fields>()
  const { errors } = formState
  const password = useWatch({ control, name: 'password' }) ?? ''

  const signUp = handleSubmit(async ({ fullName, email: typed, password }) => {
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
    if (session) return navigate(href(paths.dashboard()), { replace: true }) // where addresses confirm themselves
    rememberSignUp(email, password)
    await navigate(href(paths.verifyEmail()))
  })

  function refuse(refused: AuthFailure) {
    const field = FIELD_OF_CODE[refused.code ?? '']
    if (field) setError(field, { message: refused.text }, { shouldFocus: true })
    else setFailure(refused)
  }

  return (
    <div className={hiddenWhileLeaving}>
      <PageHeader title={m.signup_title()}>
        <p>{m.signup_intro()}</p>
      </PageHeader>
      <Card>
        <form method="post" noValidate onSubmit={(event) => void signUp(event)} className="grid gap-5">
          <TextField
            label={m.signup_name()}
            autoComplete="name"
            maxLength={FULL_NAME_MAX}
            error={errors.fullName?.message}
            {...register('fullName', { validate: nameRule })}
          />
          <TextField
            label={m.auth_email()}
            type="email"
            autoComplete="email"
            autoCapitalize="none"
            spellCheck={false}
            error={errors.email?.message}
            {...register('email', { validate: emailRule })}
          />
          <NewPasswordField
            label={m.auth_password()}
            typed={password}
            error={errors.password?.message}
            {...register('password', { validate: newPasswordRule, deps: 'confirmation' })}
          />
          <PasswordField
            label={m.auth_password_confirm()}
            autoComplete="new-password"
            error={errors.confirmation?.message}
            {...register('confirmation', {
              validate: (typed, { password }) => typed === password || m.signup_mismatch(),
            })}
          />
          <Checkbox
            label={<TermsLabel />}
            error={errors.terms?.message}
            {...register('terms', { validate: (ticked) => ticked || m.signup_terms_missing() })}
          />
          <FailureNotice failure={failure} />
          <SubmitButton pending={formState.isSubmitting} pendingText={m.signup_pending()}>
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
