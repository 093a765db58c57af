import { type ReactNode, useId } from 'react'
import { useNavigate } from 'react-router'
import { paths } from '#contract/paths.ts'
import { focusOnMount } from '~/auth/AuthForm'
import { fetchDrafts } from '~/auth/draft-handover'
import { useOpened } from '~/auth/Opened'
import { clearPendingSignUp } from '~/auth/pending-sign-up'
import { FactorStep } from '~/auth/second-factor/FactorChallenge'
import { endOpened } from '~/auth/second-factor/reauthenticate'
import { useAttempt } from '~/lib/http/use-attempt'
import { href, stripLocale } from '~/lib/i18n/i18n'
import { verbatim } from '~/lib/i18n/verbatim'
import { toast } from '~/lib/toast/toast'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { Card } from '~/ui/Card'
import {
  acceptLinkSession,
  chooseLinkPassword,
  keepSignUpPassword,
  type OpenedLink,
  type PasswordClaim,
} from './link-session.ts'
import { ChoosePassword } from './ResetPasswordForm.tsx'

type Props = {
  /** Finds out whose session the link, or the code beside it, opens. */
  inspect: () => Promise<OpenedLink>
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
type Next = Step | undefined

/**
 * Signs in with a confirmation link, or with its code after a sign-up. Asks before it replaces another session (decision mailed-links) and before it signs a browser
 * in that did not ask for the link. Keeps the password of the sign-up only for the person who made it; otherwise a
 * password is chosen (decision mailed-links).
 */
export function ConfirmEmailLink({ inspect, onExpired }: Props) {
  const navigate = useNavigate()

  const signIn = async (link: OpenedLink): Promise<Next> => {
    if (link.factors.length > 0) return { status: 'verifying', link }
    // at once: the tab that has them may leave for what was wanted as soon as somebody is signed in
    await Promise.all([acceptLinkSession(link), fetchDrafts(link.userId)])
    clearPendingSignUp()
    toast.onNextPage('success', m.verify_done())
    await navigate(href(stripLocale(link.target)), { replace: true })
    return undefined
  }
  const ask = async (link: OpenedLink): Promise<Next> => ({ status: 'asking', link })
  /** Asks for a password; not for an account with a second factor, which its person has used without one. */
  const choose = async (link: OpenedLink): Promise<Next> =>
    link.factors.length > 0 ? signIn(link) : { status: 'choosing', link }
  /** Signs in if the password of the sign-up is kept. */
  const keep = async (link: OpenedLink, claim: PasswordClaim, otherwise: (link: OpenedLink) => Promise<Next>) =>
    (await keepSignUpPassword(link, claim)) ? signIn(link) : otherwise(link)
  /** Continues with a link that may sign in here. */
  const proceed = (link: OpenedLink) => {
    if (link.password === 'set') return signIn(link)
    return keep(link, 'made-here', link.password === 'waiting' ? ask : choose)
  }

  const { data, show, fail, placeholder } = useOpened<Step>({
    title: m.verify_failed_title(),
    loadingText: m.verify_checking(),
    onExpired,
    async open(signal) {
      const link = await inspect()
      if (signal.aborted) return undefined
      if (link.signedInAs !== null) return { status: 'switching', link }
      return link.isExpected ? proceed(link) : ask(link)
    },
  })
  const go = (next: Promise<Next>) => next.then((known) => known && show(known), fail)
  const decline = async (link: OpenedLink, path: string) => {
    await endOpened(link) // the link itself stays valid
    await navigate(href(path), { replace: true })
  }

  if (!data) return placeholder
  const { status, link } = data
  switch (status) {
    case 'switching': {
      const current = link.signedInAs ?? ''
      const next = () => (link.password === 'waiting' && !link.isExpected ? ask(link) : proceed(link))
      return (
        <Question
          key={status} // the next question takes the focus too
          title={m.verify_switch_title()}
          addresses={[current, link.email]}
          answers={[
            { text: m.verify_switch_continue({ email: link.email }), act: () => go(next()), variant: 'primary' },
            { text: m.verify_switch_stay({ email: current }), act: () => decline(link, paths.dashboard()) },
          ]}
        >
          <p>{verbatim(m.verify_switch_text({ current, next: link.email }), current, link.email)}</p>
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
          addresses={[link.email]}
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
          intro={verbatim(m.verify_choose_text({ email: link.email }), link.email)}
          savePassword={(password) => chooseLinkPassword(link, password)}
          onDone={() => go(signIn(link))}
          onExpired={onExpired}
          submitText={m.verify_choose_submit()}
        />
      )
  }
}

type Answer = { text: string; act: () => Promise<unknown>; variant?: 'primary' | 'ghost' }

type QuestionProps = { title: string; answers: Answer[]; addresses: string[]; children: ReactNode }

/** Asks one question, with a button for each answer. */
function Question({ title, answers, addresses, children }: QuestionProps) {
  const titleId = useId()
  const { pending, attempt } = useAttempt()
  return (
    <section aria-labelledby={titleId}>
      <h1
        id={titleId}
        ref={focusOnMount}
        tabIndex={-1}
        // smaller than other titles: it contains an address
        className="outline-none pb-6 text-2xl font-extrabold sm:text-3xl"
      >
        {verbatim(title, ...addresses)}
      </h1>
      <Card className="grid gap-5">
        {children}
        {answers.map((answer) => (
          <Button
            key={answer.text}
            variant={answer.variant ?? 'secondary'}
            size="lg"
            className="text-balance"
            pending={pending === answer.text}
            onClick={() => void attempt(answer.act, answer.text)}
          >
            {verbatim(answer.text, ...addresses)}
          </Button>
        ))}
      </Card>
    </section>
  )
}
