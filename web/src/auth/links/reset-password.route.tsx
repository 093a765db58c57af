import { CircleCheck } from 'lucide-react'
import { useEffect, useState } from 'react'
import { paths } from '#contract/paths.ts'
import { AuthFailureAlert } from '~/auth/AuthFailureAlert'
import { AuthSkeleton } from '~/auth/AuthSkeleton'
import type { AuthFailure } from '~/auth/auth-error-text'
import { fetchDrafts } from '~/auth/draft-handover'
import { focusOnMount } from '~/auth/focus-on-mount'
import { FactorChallenge } from '~/auth/second-factor/FactorChallenge'
import { useHydrated } from '~/lib/page/browser-state'
import { publicPageMeta } from '~/lib/page/page-meta'
import { m } from '~/paraglide/messages'
import { Button, ButtonLink } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { PageHeader } from '~/ui/PageHeader'
import type { Route } from './+types/reset-password.route'
import { type LinkFragment, useLinkFragment } from './link-fragment.ts'
import { ResetPasswordForm } from './ResetPasswordForm.tsx'
import { completeRecovery, openRecovery, type Recovery } from './recovery.ts'

export const meta: Route.MetaFunction = ({ location }) =>
  publicPageMeta(location, { title: m.reset_title(), description: m.reset_description(), indexed: false })

type Stage =
  | { status: 'loading' }
  /** `retry`: another attempt may help. */
  | { status: 'error'; failure: AuthFailure; retry: boolean }
  /** The account has a second factor, which a new password takes too. */
  | { status: 'factor'; recovery: Recovery }
  | { status: 'form'; recovery: Recovery }
  | { status: 'done'; recovery: Recovery }

export default function ResetPasswordPage() {
  return useHydrated() ? <ResetPassword /> : <AuthSkeleton text={m.loading()} />
}

const linkError = (text: string): Stage => ({ status: 'error', failure: { code: undefined, text }, retry: false })

const initialStage = ({ state }: LinkFragment): Stage => {
  if (state === 'tokens') return { status: 'loading' }
  return linkError(state === 'incomplete' ? m.reset_tokens_missing() : m.reset_link_over())
}

function ResetPassword() {
  const fragment = useLinkFragment()
  const [stage, setStage] = useState(() => initialStage(fragment))
  const loading = stage.status === 'loading'

  useEffect(() => {
    if (!loading || fragment.state !== 'tokens') return
    let cancelled = false
    const open = async () => {
      const result = await openRecovery(fragment)
      if (cancelled) return
      if (result.state === 'done') {
        setStage({ status: result.data.factors.length > 0 ? 'factor' : 'form', recovery: result.data })
      } else if (result.failure.linkExpired) setStage(linkError(m.reset_link_over()))
      else setStage({ status: 'error', failure: result.failure, retry: true })
    }
    void open()
    return () => {
      cancelled = true
    }
  }, [loading, fragment])

  switch (stage.status) {
    case 'loading':
      return <AuthSkeleton text={m.loading()} />
    case 'error':
      return (
        <>
          <PageHeader title={m.reset_title()} />
          <Card className="grid gap-5">
            <AuthFailureAlert failure={stage.failure} />
            {stage.retry ? (
              <Button variant="primary" size="lg" onClick={() => setStage({ status: 'loading' })}>
                {m.action_retry()}
              </Button>
            ) : (
              <ButtonLink to={paths.forgotPassword()} variant="primary" size="lg">
                {m.reset_ask_again()}
              </ButtonLink>
            )}
          </Card>
        </>
      )
    case 'factor': {
      const { recovery } = stage
      return (
        <>
          <PageHeader title={m.two_step_title()}>{m.two_step_intro()}</PageHeader>
          <Card>
            <FactorChallenge
              factors={recovery.factors}
              client={recovery.client}
              onVerified={() => setStage({ status: 'form', recovery })}
            />
          </Card>
        </>
      )
    }
    case 'form':
      return (
        <>
          <PageHeader title={m.reset_title()}>
            <p className="wrap-anywhere">{m.reset_intro({ email: stage.recovery.email })}</p>
          </PageHeader>
          <Card>
            <ResetPasswordForm
              email={stage.recovery.email}
              savePassword={(password) => completeRecovery(stage.recovery, password)}
              onDone={async () => {
                await fetchDrafts(stage.recovery.userId)
                setStage({ status: 'done', recovery: stage.recovery })
              }}
              onExpired={() => setStage(linkError(m.reset_link_over()))}
            />
          </Card>
        </>
      )
    case 'done':
      return (
        <>
          <h1 ref={focusOnMount} tabIndex={-1} className="outline-none pb-6 text-3xl font-extrabold sm:text-4xl">
            {m.reset_done()}
          </h1>
          <Card className="grid gap-4">
            <CircleCheck aria-hidden="true" className="size-10 text-good" strokeWidth={1.5} />
            <p>{m.reset_done_text()}</p>
            <ButtonLink to={paths.login(stage.recovery.wanted)} variant="primary" size="lg">
              {m.action_log_in()}
            </ButtonLink>
          </Card>
        </>
      )
  }
}
