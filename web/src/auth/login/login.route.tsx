import { useNavigate } from 'react-router'
import { paths } from '#contract/paths.ts'
import { authRequest } from '~/auth/auth-request'
import { emailCode, savePending } from '~/auth/pending-sign-up'
import { redirectTarget } from '~/auth/safe-redirect'
import {
  PreloadWhileTyping,
  SendSentence,
  StoresNothingSentence,
  useRedirectIfAuthenticated,
  useWantedPage,
} from '~/auth/sign-in-pages'
import { codeOf } from '~/lib/http/api'
import { currentPath, href, Link, stripLocale } from '~/lib/i18n/i18n'
import { publicPageMeta } from '~/lib/page/page-meta'
import { m } from '~/paraglide/messages'
import { Card } from '~/ui/Card'
import { PageHeader } from '~/ui/PageHeader'
import type { Route } from './+types/login.route'
import { LoginForm } from './LoginForm.tsx'

export const meta: Route.MetaFunction = ({ location }) =>
  publicPageMeta(location, { title: m.action_log_in(), description: m.login_description() })

const isUnconfirmed = (error: unknown) => codeOf(error) === 'email_not_confirmed'

export default function LoginPage() {
  const hiddenClass = useRedirectIfAuthenticated()
  const navigate = useNavigate()
  const wanted = useWantedPage()

  async function signIn(email: string, password: string) {
    try {
      await authRequest<unknown>(m.login_failed(), ({ auth }) => auth.signInWithPassword({ email, password }))
    } catch (error) {
      if (isUnconfirmed(error)) savePending(email, password)
      throw error
    }
    await navigate(href(stripLocale(redirectTarget())), { replace: true })
  }

  async function requestCode(email: string) {
    await emailCode(email, true)
    savePending(email, null)
    await navigate(href(currentPath()), { replace: true, state: { email } }) // for the way back
    await navigate(href(paths.verifyEmail()) + location.search)
  }

  return (
    <div className={hiddenClass}>
      <PageHeader title={m.action_log_in()}>
        <SendSentence />
        <StoresNothingSentence />
      </PageHeader>
      <Card>
        <PreloadWhileTyping page={href(paths.verifyEmail())}>
          <LoginForm
            submitText={m.action_log_in()}
            pendingText={m.login_pending()}
            onSubmit={signIn}
            onCode={requestCode}
            failureAction={(failure) =>
              isUnconfirmed(failure) && (
                <Link to={paths.verifyEmail() + location.search} className="link justify-self-start py-2.5">
                  {m.login_confirm_email()}
                </Link>
              )
            }
          />
        </PreloadWhileTyping>
      </Card>
      <p className="pt-6 text-center text-ink-soft">
        {m.login_no_account()}{' '}
        <Link to={paths.signup(wanted)} className="link inline-block py-2.5">
          {m.action_sign_up()}
        </Link>
      </p>
    </div>
  )
}
