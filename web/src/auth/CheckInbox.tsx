import { useState } from 'react'
import { useNavigate } from 'react-router'
import { paths } from '#contract/paths.ts'
import { href, Link } from '~/lib/i18n'
import { hasStoredSession } from '~/lib/stored-session'
import { toast } from '~/lib/toast'
import { m } from '~/paraglide/messages'
import { Button, ButtonLink } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { PageHeader } from '~/ui/PageHeader'
import { attempt } from './attempt.ts'
import type { AuthFailure } from './auth-error-text.ts'
import { FailureNotice } from './FailureNotice.tsx'
import { isConfirmed } from './is-confirmed.ts'
import { forgetSignUp, signUpEmail } from './pending-sign-up.ts'
import { verifyEmailUrl } from './verify-email-url.ts'

/** No address is known in this browser. */
const NO_EMAIL = 'no_email'

/** What helps most when a link is over: a link opened twice has confirmed whoever is signed in here. */
const mainAction = (linkOver: boolean, email: string | null) => {
  if (!linkOver || hasStoredSession()) return 'check'
  return email === null ? 'log-in' : 'resend'
}

/** Waiting for the click on the link. `linkOver`: it was clicked too late, or for the second time. */
export function CheckInbox({ linkOver }: { linkOver: boolean }) {
  const navigate = useNavigate()
  const [email] = useState(signUpEmail)
  const [failure, setFailure] = useState<AuthFailure | null>(null)
  const [pending, setPending] = useState<'checking' | 'resending' | null>(null)
  const [main] = useState(() => mainAction(linkOver, email))

  async function run(what: 'checking' | 'resending', work: () => Promise<AuthFailure | null>) {
    if (pending) return
    setFailure(null)
    setPending(what)
    setFailure(await work())
    setPending(null)
  }

  const check = () =>
    run('checking', async () => {
      const outcome = await isConfirmed(email)
      if (outcome.state === 'failed') return outcome.failure
      forgetSignUp()
      toast.success(m.verify_done())
      await navigate(href(paths.dashboard()), { replace: true })
      return null
    })

  const resend = () =>
    run('resending', async () => {
      if (email === null) return { code: NO_EMAIL, text: m.verify_no_email() }
      const outcome = await attempt(m.error_unexpected(), ({ auth }) =>
        auth.signInWithOtp({ email, options: { shouldCreateUser: false, emailRedirectTo: verifyEmailUrl() } }),
      )
      if (outcome.state === 'failed') return outcome.failure
      toast.success(m.verify_resent())
      return null
    })

  const checkButton = (
    <Button
      key="check"
      variant={main === 'check' ? 'primary' : 'secondary'}
      size="lg"
      pending={pending === 'checking'}
      pendingText={m.verify_check_pending()}
      onClick={() => void check()}
    >
      {m.verify_check()}
    </Button>
  )
  const resendButton = (
    <Button
      key="resend"
      variant={main === 'resend' ? 'primary' : 'secondary'}
      size="lg"
      pending={pending === 'resending'}
      pendingText={m.verify_resend_pending()}
      onClick={() => void resend()}
    >
      {m.verify_resend()}
    </Button>
  )

  return (
    <>
      <PageHeader title={linkOver ? m.verify_over_title() : m.page_verify_email()} />
      <Card className="grid gap-5">
        {linkOver ? (
          <p>{m.verify_over_text()}</p>
        ) : (
          <div className="grid gap-2">
            <p>{email ? m.verify_sent_to() : m.verify_sent()}</p>
            {email && <p className="text-lg font-bold wrap-anywhere">{email}</p>}
            <p className="text-ink-soft">{m.verify_hint()}</p>
          </div>
        )}
        <FailureNotice failure={failure}>
          {failure?.code === NO_EMAIL && <p>{m.verify_no_email_text()}</p>}
        </FailureNotice>
        <div className="grid gap-3">
          {main === 'log-in' && (
            <ButtonLink to={paths.login()} variant="primary" size="lg">
              {m.action_log_in()}
            </ButtonLink>
          )}
          {main === 'check' ? [checkButton, resendButton] : [resendButton, checkButton]}
        </div>
      </Card>
      <ul className="grid justify-items-center gap-1 pt-6 text-ink-soft">
        <li>
          {m.verify_wrong_address()}{' '}
          <Link to={paths.signup()} className="link inline-block py-2.5">
            {m.action_sign_up()}
          </Link>
        </li>
        {main !== 'log-in' && (
          <li>
            {m.verify_other_device()}{' '}
            <Link to={paths.login()} className="link inline-block py-2.5">
              {m.action_log_in()}
            </Link>
          </li>
        )}
        <li>
          <Link to={paths.home()} className="link inline-block py-2.5">
            {m.auth_home()}
          </Link>
        </li>
      </ul>
    </>
  )
}
