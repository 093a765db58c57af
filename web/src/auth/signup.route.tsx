import { useLocation, useNavigate } from 'react-router'
import { trimEmail } from '#contract/addresses.ts'
import { FULL_NAME_MAX } from '#contract/auth.ts'
import { paths } from '#contract/paths.ts'
import { TERMS_VERSION } from '#contract/terms.ts'
import { validateEmail } from '~/lib/address/validate-email'
import { type FieldErrors, useForm } from '~/lib/form/use-form'
import { codeOf, errorMessage } from '~/lib/http/api'
import { currentPath, getLocale, href, Link, stripLocale } from '~/lib/i18n/i18n'
import { publicPageMeta } from '~/lib/page/page-meta'
import { m } from '~/paraglide/messages'
import { Card } from '~/ui/Card'
import { EmailField, TextField } from '~/ui/Field'
import { PageHeader } from '~/ui/PageHeader'
import { PasswordField } from '~/ui/PasswordField'
import type { Route } from './+types/signup.route'
import { AuthForm, validateName, validateNewPassword } from './AuthForm.tsx'
import { AuthFailure, authRequest } from './auth-request.ts'
import { NewPasswordField } from './NewPasswordField.tsx'
import { createSignUpProof, savePending, typedBefore, verifyEmailUrl } from './pending-sign-up.ts'
import { redirectTarget } from './safe-redirect.ts'
import { SendSentence, StoresNothingSentence, useRedirectIfAuthenticated, useWantedPage } from './sign-in-pages.tsx'
import { TermsCheckbox } from './TermsCheckbox.tsx'

export const meta: Route.MetaFunction = ({ location }) =>
  publicPageMeta(location, { title: m.signup_title(), description: m.signup_description() })

type Fields = { fullName: string; email: string; password: string; confirmation: string; terms: string }

const DEFAULT_VALUES: Fields = { fullName: '', email: '', password: '', confirmation: '', terms: '' }

const validate = ({ fullName, email, password, confirmation, terms }: Fields): FieldErrors<Fields> => ({
  fullName: validateName(fullName),
  email: validateEmail(email),
  password: validateNewPassword(password),
  confirmation: confirmation === '' ? m.auth_password_again() : confirmation === password || m.signup_mismatch(),
  terms: terms !== '' || m.signup_terms_missing(),
})

const fieldError = (error: unknown): FieldErrors<Fields> | undefined => {
  if (codeOf(error) === 'user_already_exists') return { email: errorMessage(error) }
  return codeOf(error) === 'weak_password' ? { password: errorMessage(error) } : undefined
}

export default function SignupPage() {
  const hiddenClass = useRedirectIfAuthenticated()
  const navigate = useNavigate()
  const wanted = useWantedPage()
  const before = typedBefore(useLocation().state as Partial<Fields> | null)
  const form = useForm({
    defaultValues: DEFAULT_VALUES,
    uncontrolled: true,
    validate,
    onSubmit: signUp,
    fieldError,
  })

  async function signUp({ fullName, email: typed, password }: Fields) {
    const email = trimEmail(typed)
    const proof = await createSignUpProof()
    const data = {
      ...{ full_name: fullName.trim(), locale: getLocale() },
      // what the checkbox says (decision terms-consent)
      ...{ terms_version: TERMS_VERSION, age_ok: true },
      ...(proof && { signup_proof: proof.hash }),
    }
    const { user, session } = await authRequest(m.signup_failed(), ({ auth }) =>
      auth.signUp({ email, password, options: { data, emailRedirectTo: verifyEmailUrl() } }),
    )
    // this is how the protocol says that the address has an account (auth-protocol §1.1)
    if (user?.identities?.length === 0) throw new AuthFailure(m.signup_exists(), { code: 'user_already_exists' })
    // where sign-ups are confirmed automatically there is a session already
    if (!session) {
      savePending(email, password, proof)
      await navigate(href(currentPath()), { replace: true, state: { fullName, email } }) // for the way back
    }
    await navigate(href(session ? stripLocale(redirectTarget()) : paths.verifyEmail(wanted)), {
      replace: session !== null,
    })
  }

  return (
    <div className={hiddenClass}>
      <PageHeader title={m.signup_title()}>
        <SendSentence />
        <p>{m.signup_intro()}</p>
        <StoresNothingSentence />
      </PageHeader>
      <Card>
        <AuthForm form={form} submitText={m.action_sign_up()} pendingText={m.signup_pending()}>
          <TextField
            label={m.signup_name()}
            autoComplete="name"
            maxLength={FULL_NAME_MAX}
            defaultValue={before?.fullName}
            {...form.register('fullName')}
          />
          <EmailField label={m.auth_email()} defaultValue={before?.email} {...form.register('email')} />
          <NewPasswordField label={m.auth_password()} password={form.values.password} {...form.register('password')} />
          <PasswordField
            label={m.auth_password_confirm()}
            autoComplete="new-password"
            {...form.register('confirmation')}
          />
          <TermsCheckbox {...form.register('terms')} />
        </AuthForm>
      </Card>
      <p className="pt-6 text-center text-ink-soft">
        {m.signup_have_account()}{' '}
        <Link to={paths.login(wanted)} className="link inline-block py-2.5">
          {m.action_log_in()}
        </Link>
      </p>
    </div>
  )
}
