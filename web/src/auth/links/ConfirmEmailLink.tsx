import { useNavigate } from 'react-router'
import { paths } from '#contract/paths.ts'
import { AuthSkeleton } from '~/auth/AuthSkeleton'
import type { AuthFailure } from '~/auth/auth-error-text'
import type { AuthResult } from '~/auth/auth-request'
import { fetchDrafts } from '~/auth/draft-handover'
import { OpeningFailed, useOpened } from '~/auth/Opened'
import { clearPendingSignUp } from '~/auth/pending-sign-up'
import { FactorStep } from '~/auth/second-factor/FactorChallenge'
import { href, stripLocale } from '~/lib/i18n/i18n'
import { toast } from '~/lib/toast/toast'
import { m } from '~/paraglide/messages'
import {
  acceptLinkSession,
  chooseLinkPassword,
  keepSignUpPassword,
  type OpenedLink,
  type PasswordClaim,
  revokeLinkSession,
} from './link-session.ts'
import { type Answer, Question } from './Question.tsx'
import { ChoosePassword } from './ResetPasswordForm.tsx'

type Props = {
  /** Finds out whose session the link, or the code beside it, opens. */
  inspect: () => Promise<AuthResult<OpenedLink>>
  /** Called when the server no longer accepts the link. */
  onExpired: () => void
}

type Step = {
  status: /** Somebody else is signed in. */
    | 'switching'
    /** This browser does not wait for this link, or only the person can say whose the password of the sign-up is. */
    | 'asking'
    /** The account has a second factor, which comes before it is signed in. */
    | 'verifying'
    | 'choosing'
  link: OpenedLink
}

/** What follows; undefined when the page is being left. */
type Next = AuthResult<Step> | undefined

const to = (status: Step['status'], link: OpenedLink): Next => ({ state: 'done', data: { status, link } })

/**
 * Signs in with a confirmation link, or with its code after a sign-up. Asks before it replaces another session (decision mailed-links) and before it signs a browser
 * in that did not ask for the link. Keeps the password of the sign-up only for the person who made it; otherwise a
 * password is chosen (decision mailed-links).
 */
export function ConfirmEmailLink({ inspect, onExpired }: Props) {
  const navigate = useNavigate()

  const fail = (failure: AuthFailure): Next => {
    if (!failure.linkExpired) return { state: 'failed', failure }
    onExpired()
    return undefined
  }
  const signIn = async (link: OpenedLink): Promise<Next> => {
    if (link.factors.length > 0) return to('verifying', link)
    // at once: the tab that has them may leave for what was wanted as soon as somebody is signed in
    const [result] = await Promise.all([acceptLinkSession(link), fetchDrafts(link.userId)])
    if (result.state === 'failed') return fail(result.failure)
    clearPendingSignUp()
    toast.onNextPage('success', m.verify_done())
    await navigate(href(stripLocale(link.target)), { replace: true })
    return undefined
  }
  const ask = async (link: OpenedLink) => to('asking', link)
  /** Asks for a password; not for an account with a second factor, which its person has used without one. */
  const choose = async (link: OpenedLink) => (link.factors.length > 0 ? signIn(link) : to('choosing', link))
  /** Signs in if the password of the sign-up is kept. */
  const keep = async (
    link: OpenedLink,
    claim: PasswordClaim,
    otherwise: (link: OpenedLink) => Promise<Next>,
  ): Promise<Next> => {
    const kept = await keepSignUpPassword(link, claim)
    if (kept.state === 'failed') return fail(kept.failure)
    return kept.data ? signIn(link) : otherwise(link)
  }
  /** Continues with a link that may sign in here. */
  const proceed = (link: OpenedLink) => {
    if (link.password === 'set') return signIn(link)
    return keep(link, 'made-here', link.password === 'waiting' ? ask : choose)
  }

  const [step, setStep] = useOpened<Step>(async (signal) => {
    const inspected = await inspect()
    if (signal.aborted) return undefined
    if (inspected.state === 'failed') return fail(inspected.failure)
    const link = inspected.data
    if (link.signedInAs !== null) return to('switching', link)
    return link.isExpected ? proceed(link) : ask(link)
  })
  const go = async (next: Promise<Next>) => {
    const result = await next
    if (result) setStep(result)
  }
  const decline = async (link: OpenedLink, path: string) => {
    await revokeLinkSession(link)
    await navigate(href(path), { replace: true })
  }

  if (!step) return <AuthSkeleton text={m.verify_checking()} />
  if (step.state === 'failed')
    return <OpeningFailed title={m.verify_failed_title()} failure={step.failure} onRetry={() => setStep(undefined)} />
  const { status, link } = step.data
  switch (status) {
    case 'switching': {
      const current = link.signedInAs ?? ''
      const next = () => (link.password === 'waiting' && !link.isExpected ? ask(link) : proceed(link))
      return (
        <Question
          key={status} // the next question takes the focus too
          title={m.verify_switch_title()}
          answers={[
            { text: m.verify_switch_continue({ email: link.email }), act: () => go(next()), variant: 'primary' },
            { text: m.verify_switch_stay({ email: current }), act: () => decline(link, paths.dashboard()) },
          ]}
        >
          <p className="wrap-anywhere">{m.verify_switch_text({ current, next: link.email })}</p>
        </Question>
      )
    }
    case 'asking': {
      // the one question whose the password of a sign-up is, while it waits
      const asksPassword = link.password === 'waiting'
      const next = () => (link.password === 'set' ? signIn(link) : choose(link))
      const answers: Answer[] = asksPassword
        ? [
            { text: m.verify_keep_yes(), act: () => go(keep(link, 'stated', choose)), variant: 'primary' },
            { text: m.verify_keep_no(), act: () => go(choose(link)) },
          ]
        : [{ text: m.verify_switch_continue({ email: link.email }), act: () => go(next()), variant: 'primary' }]
      const declined: Answer = {
        text: m.verify_sign_in_decline(),
        act: () => decline(link, paths.home()),
        variant: 'ghost',
      }
      return (
        <Question
          key={status}
          title={m.verify_sign_in_title({ email: link.email })}
          answers={link.isExpected ? answers : [...answers, declined]}
        >
          {!link.isExpected && <p>{m.verify_sign_in_text()}</p>}
          {asksPassword && <p className="text-lg font-bold">{m.verify_keep_question()}</p>}
        </Question>
      )
    }
    case 'verifying':
      return (
        <FactorStep
          factors={link.factors}
          client={link.client}
          onVerified={() => go(signIn({ ...link, factors: [] }))}
        />
      )
    case 'choosing':
      return (
        <ChoosePassword
          email={link.email}
          intro={m.verify_choose_text({ email: link.email })}
          savePassword={(password) => chooseLinkPassword(link, password)}
          onDone={() => go(signIn(link))}
          onExpired={onExpired}
          submitText={m.verify_choose_submit()}
        />
      )
  }
}
