import { useEffect, useEffectEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { paths } from '#contract/paths.ts'
import { AuthFailureAlert } from '~/auth/AuthFailureAlert'
import { AuthSkeleton } from '~/auth/AuthSkeleton'
import type { AuthFailure } from '~/auth/auth-error-text'
import type { AuthResult } from '~/auth/auth-request'
import { fetchDrafts } from '~/auth/draft-handover'
import { clearPendingSignUp } from '~/auth/pending-sign-up'
import { FactorChallenge } from '~/auth/second-factor/FactorChallenge'
import { href, stripLocale } from '~/lib/i18n/i18n'
import { toast } from '~/lib/toast/toast'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { PageHeader } from '~/ui/PageHeader'
import { ConfirmSignIn, SwitchAccounts } from './LinkQuestions.tsx'
import {
  acceptLinkSession,
  chooseLinkPassword,
  keepSignUpPassword,
  type OpenedLink,
  revokeLinkSession,
} from './link-session.ts'
import { ResetPasswordForm } from './ResetPasswordForm.tsx'

type Props = {
  /** Finds out whose session the link, or the code beside it, opens. */
  inspect: () => Promise<AuthResult<OpenedLink>>
  /** Called when the server no longer accepts the link. */
  onExpired: () => void
}

type Stage =
  | { status: 'checking' }
  /** Somebody else is signed in. */
  | { status: 'switching'; link: OpenedLink }
  /** This browser does not wait for this link, or only the person can say whose the password of the sign-up is. */
  | { status: 'asking'; link: OpenedLink }
  /** The account has a second factor, which comes before a new password and before it is signed in. */
  | { status: 'verifying'; link: OpenedLink; next: 'choosing' | 'signing in' }
  | { status: 'choosing'; link: OpenedLink }
  | { status: 'failed'; failure: AuthFailure }

/**
 * Signs in with a confirmation link, or with its code after a sign-up. Asks before it replaces another session (decision mailed-links) and before it signs a browser
 * in that did not ask for the link. Keeps the password of the sign-up only for the person who made it; otherwise a
 * password is chosen (decision mailed-links).
 */
export function ConfirmEmailLink({ inspect, onExpired }: Props) {
  const navigate = useNavigate()
  const [stage, setStage] = useState<Stage>({ status: 'checking' })

  const fail = (failure: AuthFailure) => {
    if (failure.linkExpired) onExpired()
    else setStage({ status: 'failed', failure })
  }
  const signIn = async (link: OpenedLink) => {
    if (link.factors.length > 0) return setStage({ status: 'verifying', link, next: 'signing in' })
    // at once: the tab that has them may leave for what was wanted as soon as somebody is signed in
    const [result] = await Promise.all([acceptLinkSession(link), fetchDrafts(link.userId)])
    if (result.state === 'failed') return fail(result.failure)
    clearPendingSignUp()
    toast.onNextPage('success', m.verify_done())
    await navigate(href(stripLocale(link.target)), { replace: true })
  }
  const choose = async (link: OpenedLink) =>
    setStage(link.factors.length > 0 ? { status: 'verifying', link, next: 'choosing' } : { status: 'choosing', link })
  /** Signs in if the password was kept, and otherwise asks whose it is or for another one. */
  const signInIfPasswordKept = async (
    link: OpenedLink,
    result: AuthResult<boolean>,
    otherwise: 'asking' | 'choosing',
  ) => {
    if (result.state === 'failed') return fail(result.failure)
    if (result.data) return signIn(link)
    if (otherwise === 'choosing') return choose(link)
    setStage({ status: 'asking', link })
  }
  /** Continues with a link that may sign in here. */
  const proceed = async (link: OpenedLink) => {
    if (link.password === 'set') return signIn(link)
    const result = await keepSignUpPassword(link, 'made-here')
    await signInIfPasswordKept(link, result, link.password === 'waiting' ? 'asking' : 'choosing')
  }

  const startInspection = useEffectEvent(() => inspect())
  const handleInspected = useEffectEvent((inspected: AuthResult<OpenedLink>) => {
    if (inspected.state === 'failed') return fail(inspected.failure)
    const link = inspected.data
    if (link.signedInAs !== null) setStage({ status: 'switching', link })
    else if (link.isExpected) void proceed(link)
    else setStage({ status: 'asking', link })
  })
  const checking = stage.status === 'checking'
  useEffect(() => {
    if (!checking) return
    let cancelled = false
    void startInspection().then((inspected) => {
      if (!cancelled) handleInspected(inspected)
    })
    return () => {
      cancelled = true
    }
  }, [checking])

  const decline = async (link: OpenedLink, to: string) => {
    await revokeLinkSession(link)
    await navigate(href(to), { replace: true })
  }

  switch (stage.status) {
    case 'checking':
      return <AuthSkeleton text={m.verify_checking()} />
    case 'switching': {
      const { link } = stage
      const askFurther = async () => setStage({ status: 'asking', link })
      return (
        <SwitchAccounts
          link={link}
          onContinue={() => (link.password === 'waiting' && !link.isExpected ? askFurther() : proceed(link))}
          onStay={() => decline(link, paths.dashboard())}
        />
      )
    }
    case 'asking': {
      const { link } = stage
      return (
        <ConfirmSignIn
          link={link}
          onContinue={() => (link.password === 'set' ? signIn(link) : choose(link))}
          onKeep={async () => signInIfPasswordKept(link, await keepSignUpPassword(link, 'stated'), 'choosing')}
          onChoose={() => choose(link)}
          onDecline={() => decline(link, paths.home())}
        />
      )
    }
    case 'verifying': {
      const { link, next } = stage
      const verified = { ...link, factors: [] }
      return (
        <>
          <PageHeader title={m.two_step_title()}>{m.two_step_intro()}</PageHeader>
          <Card>
            <FactorChallenge
              factors={link.factors}
              client={link.client}
              onVerified={() => (next === 'choosing' ? choose(verified) : signIn(verified))}
            />
          </Card>
        </>
      )
    }
    case 'choosing': {
      const { link } = stage
      return (
        <>
          <PageHeader title={m.reset_title()}>
            <p className="wrap-anywhere">{m.verify_choose_text({ email: link.email })}</p>
          </PageHeader>
          <Card>
            <ResetPasswordForm
              email={link.email}
              savePassword={(password) => chooseLinkPassword(link, password)}
              onDone={() => signIn(link)}
              onExpired={onExpired}
              submitText={m.verify_choose_submit()}
            />
          </Card>
        </>
      )
    }
    case 'failed':
      return (
        <>
          <PageHeader title={m.verify_failed_title()} />
          <Card className="grid gap-5">
            <AuthFailureAlert failure={stage.failure} />
            <Button variant="primary" size="lg" onClick={() => setStage({ status: 'checking' })}>
              {m.action_retry()}
            </Button>
          </Card>
        </>
      )
  }
}
