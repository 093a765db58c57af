import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { paths } from '#contract/paths.ts'
import { AuthFailure, authRequest } from '~/auth/auth-request'
import { hydrated } from '~/auth/Opened'
import {
  clearPendingSignUp,
  emailCode,
  getPendingEmail,
  getPendingPassword,
  isAddressOf,
  isPendingByCode,
  rememberSendIntent,
} from '~/auth/pending-sign-up'
import { redirectTarget, wantedPage } from '~/auth/safe-redirect'
import { EmailedCodeForm } from '~/auth/second-factor/EmailedCodeForm'
import { PreloadWhileTyping, useRedirectIfAuthenticated } from '~/auth/sign-in-pages'
import { codeOf } from '~/lib/http/api'
import { useAttempt } from '~/lib/http/use-attempt'
import { href, Link, stripLocale } from '~/lib/i18n/i18n'
import { publicPageMeta } from '~/lib/page/page-meta'
import { isSignedIn } from '~/lib/session/tab-session'
import { toast } from '~/lib/toast/toast'
import { m } from '~/paraglide/messages'
import { Button, ButtonLink } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { AnnouncedFailure } from '~/ui/FailureAlert'
import { PageHeader } from '~/ui/PageHeader'
import type { Route } from './+types/verify-email.route'
import { ConfirmEmailLink } from './ConfirmEmailLink.tsx'
import { useLinkFragment } from './link-fragment.ts'
import { inspectLink, inspectUnstored, type UnstoredSession, verifyEmailedCode } from './link-session.ts'

export const meta: Route.MetaFunction = ({ location }) =>
  publicPageMeta(location, { title: m.page_verify_email(), description: m.verify_description(), indexed: false })

// what to show depends on the address and on the storage of the browser
export default hydrated(function VerifyEmailPage() {
  const fragment = useLinkFragment()
  useEffect(() => rememberSendIntent(getPendingEmail(), wantedPage(location.search)), [])
  const [linkExpired, setLinkExpired] = useState(fragment.state === 'refused' || fragment.state === 'incomplete')
  const [opened, setOpened] = useState<UnstoredSession | null>(null)
  const onExpired = () => {
    setOpened(null)
    setLinkExpired(true)
  }
  if (opened) return <ConfirmEmailLink inspect={() => inspectUnstored(opened)} onExpired={onExpired} />
  if (fragment.state === 'tokens' && !linkExpired)
    return <ConfirmEmailLink inspect={() => inspectLink(fragment)} onExpired={onExpired} />
  return <CheckInbox linkExpired={linkExpired} onOpened={setOpened} />
})

/** The code of a failure that only this page has: the browser knows no address. */
const NO_EMAIL = 'no_email'

type Props = {
  /** The link was opened too late, or for the second time. */
  linkExpired: boolean
  /** Called with the session of a code about which there may be something to ask first. */
  onOpened: (opened: UnstoredSession) => void
}

/** Waits for the code of an email to be typed, after a sign-up or to log in with, or for the link beside it to be opened. */
function CheckInbox({ linkExpired, onOpened }: Props) {
  const navigate = useNavigate()
  const { search } = useLocation()
  const [email] = useState(getPendingEmail)
  const { pending, failure, attempt } = useAttempt()
  const [byCode] = useState(isPendingByCode)
  const [isLinkOver, setLinkOver] = useState(linkExpired)
  const [resentCount, setResentCount] = useState(0)
  // a user who is signed in here after an expired link may have opened it twice
  const [wasSignedIn] = useState(isSignedIn)
  const asksCode = email !== null && !isLinkOver
  const checksFirst = !isLinkOver || (wasSignedIn && !byCode)
  const logsInFirst = !checksFirst && email === null
  // the link was opened in another tab
  const hiddenClass = useRedirectIfAuthenticated((user) => !linkExpired && (email === null || isAddressOf(user, email)))

  const leave = async () => {
    clearPendingSignUp()
    if (!byCode) toast.onNextPage('success', m.verify_done())
    await navigate(href(stripLocale(redirectTarget())), { replace: true })
  }

  const check = async () => {
    await signInIfConfirmed(email)
    await leave()
  }

  const resend = async () => {
    if (email === null) throw new AuthFailure(m.verify_no_email(), { code: NO_EMAIL })
    await emailCode(email, byCode)
    toast.success(byCode ? m.code_resent() : m.verify_resent())
    setLinkOver(false)
    setResentCount((count) => count + 1)
  }

  const submitCode = async (code: string) => {
    if (email === null) return
    const opened = await verifyEmailedCode(email, code)
    if (opened === null) await leave()
    else onOpened(opened)
  }

  const checkButton = (
    <Button
      key="check"
      variant={checksFirst && !asksCode ? 'primary' : 'secondary'}
      size="lg"
      pending={pending === 'checking'}
      pendingText={m.verify_check_pending()}
      onClick={() => void attempt(check, 'checking')}
    >
      {m.verify_check()}
    </Button>
  )
  const resendButton = (
    <Button
      key="resend"
      variant={checksFirst || logsInFirst ? 'secondary' : 'primary'}
      size="lg"
      pending={pending === 'resending'}
      pendingText={m.verify_resend_pending()}
      onClick={() => void attempt(resend, 'resending')}
    >
      {byCode ? m.code_resend() : m.verify_resend()}
    </Button>
  )

  return (
    <div className={hiddenClass}>
      <PageHeader title={isLinkOver ? m.verify_over_title() : m.page_verify_email()} />
      <Card className="grid gap-5">
        {isLinkOver ? (
          <p>{m.verify_over_text()}</p>
        ) : (
          <div className="grid gap-2">
            <p>{email ? m.verify_sent_to() : m.verify_sent()}</p>
            {email && (
              <p translate="no" className="text-lg font-bold">
                {email}
              </p>
            )}
          </div>
        )}
        {asksCode && (
          <PreloadWhileTyping page={href(stripLocale(redirectTarget()))}>
            <EmailedCodeForm key={resentCount} onSubmit={submitCode} />
          </PreloadWhileTyping>
        )}
        {!isLinkOver && <p className="text-pretty text-ink-soft">{m.verify_hint()}</p>}
        <AnnouncedFailure failure={failure}>
          {codeOf(failure) === NO_EMAIL && <p>{m.verify_no_email_text()}</p>}
        </AnnouncedFailure>
        <div className="grid gap-3">
          {logsInFirst && (
            <ButtonLink to={paths.login() + search} variant="primary" size="lg">
              {m.action_log_in()}
            </ButtonLink>
          )}
          {!checksFirst && resendButton}
          {!byCode && checkButton}
          {checksFirst && resendButton}
        </div>
      </Card>
      <ul className="grid justify-items-center gap-1 pt-6 text-center text-ink-soft">
        <li>
          {m.verify_wrong_address()}{' '}
          {byCode ? (
            <Link to={paths.login() + search} state={{ email }} className="link inline-block py-2.5">
              {m.code_correct_address()}
            </Link>
          ) : (
            <Link to={paths.signup() + search} state={{ email }} className="link inline-block py-2.5">
              {m.action_sign_up()}
            </Link>
          )}
        </li>
        {byCode && (
          <li>
            {m.code_use_password()}{' '}
            <Link to={paths.login() + search} state={{ email }} className="link inline-block py-2.5">
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
    </div>
  )
}

/** Error codes that only mean that the link was not opened yet, or that another sign-up has replaced this one. */
const NOT_CONFIRMED_CODES = ['email_not_confirmed', 'invalid_credentials']

/**
 * Signs in if the address is confirmed: with the password of the sign-up while the page still has it (the link may have
 * been opened on another device, decision mailed-links), else with a session that another tab has opened.
 */
async function signInIfConfirmed(email: string | null) {
  const password = getPendingPassword()
  const isSignedIn = await authRequest(m.error_unexpected(), async ({ auth, currentSession }) => {
    if (email !== null && password !== null) {
      const { error } = await auth.signInWithPassword({ email, password })
      return { data: true, error }
    }
    const session = await currentSession()
    return { data: session !== null && (email === null || isAddressOf(session.user, email)), error: null }
  }).catch((error: unknown) => {
    if (NOT_CONFIRMED_CODES.includes(codeOf(error) ?? '')) return false
    throw error
  })
  if (!isSignedIn) throw new AuthFailure(m.verify_not_yet(), { code: 'email_not_confirmed' })
}
