import type { Factor } from '@supabase/auth-js'
import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { paths } from '#contract/paths.ts'
import { AuthFailureAlert } from '~/auth/AuthFailureAlert'
import { AuthSkeleton } from '~/auth/AuthSkeleton'
import type { AuthFailure } from '~/auth/auth-error-text'
import { authRequest } from '~/auth/auth-request'
import { FactorTypeButtons } from '~/auth/FactorTypeButtons'
import { type FactorType, verifiedFactors } from '~/auth/factors'
import { redirectTarget } from '~/auth/safe-redirect'
import { href, Link, stripLocale } from '~/lib/i18n/i18n'
import { useHydrated } from '~/lib/page/browser-state'
import { privatePageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import { signOut } from '~/lib/session/sign-out'
import { hasStoredSession } from '~/lib/session/stored-session'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { PageHeader } from '~/ui/PageHeader'
import { EnrolFactor } from './EnrolFactor.tsx'
import { FactorChallenge } from './FactorChallenge.tsx'

export const handle: RouteHandle = { accountPage: true }

export const meta = () => privatePageMeta(m.two_step_title())

type Stage =
  | { status: 'loading' }
  | { status: 'failed'; failure: AuthFailure }
  | { status: 'challenge'; factors: Factor[] }
  /** An admin who has no second factor yet. */
  | { status: 'enrol' }

/** Renders /two-step: the second step of signing in, and for admins who need one and have none, setting it up. */
export default function TwoStepPage() {
  return useHydrated() ? <TwoStep /> : <AuthSkeleton text={m.loading()} />
}

/**
 * Asks the server which step this session still needs. A token that says it needs none is renewed first, since the server
 * may have sent the user here because the factor it was verified with has been removed.
 */
const inspectSession = () =>
  authRequest(m.error_unexpected(), async ({ auth }) => {
    const level = await auth.mfa.getAuthenticatorAssuranceLevel()
    if (level.data?.currentLevel === 'aal2') await auth.refreshSession()
    const { data, error } = await auth.getUser()
    const renewed = await auth.mfa.getAuthenticatorAssuranceLevel()
    const factors = verifiedFactors(data.user)
    // an ordinary account without a second factor needs no step either
    const complete =
      renewed.data?.currentLevel === 'aal2' || (factors.length === 0 && data.user?.user_metadata['is_admin'] !== true)
    return { data: { factors, complete }, error }
  })

function TwoStep() {
  const navigate = useNavigate()
  const [stage, setStage] = useState<Stage>({ status: 'loading' })
  const loading = stage.status === 'loading'
  const target = redirectTarget()
  const continueToTarget = () => navigate(href(stripLocale(target)), { replace: true })

  useEffect(() => {
    if (!loading) return
    let cancelled = false
    const open = async () => {
      if (!hasStoredSession()) return navigate(href(paths.login(target)), { replace: true })
      const outcome = await inspectSession()
      if (cancelled) return
      if (outcome.state === 'failed') {
        if (!hasStoredSession()) return navigate(href(paths.login(target)), { replace: true })
        setStage({ status: 'failed', failure: outcome.failure })
      } else if (outcome.data.complete) await navigate(href(stripLocale(target)), { replace: true })
      else if (outcome.data.factors.length > 0) setStage({ status: 'challenge', factors: outcome.data.factors })
      else setStage({ status: 'enrol' })
    }
    void open()
    return () => {
      cancelled = true
    }
  }, [loading, navigate, target])

  switch (stage.status) {
    case 'loading':
      return <AuthSkeleton text={m.loading()} />
    case 'failed':
      return (
        <>
          <PageHeader title={m.two_step_title()} />
          <Card className="grid gap-5">
            <AuthFailureAlert failure={stage.failure} />
            <Button variant="primary" size="lg" onClick={() => setStage({ status: 'loading' })}>
              {m.action_retry()}
            </Button>
          </Card>
        </>
      )
    case 'challenge':
      return (
        <>
          <PageHeader title={m.two_step_title()}>{m.two_step_intro()}</PageHeader>
          <Card>
            <FactorChallenge factors={stage.factors} onVerified={continueToTarget} />
          </Card>
          <HelpAndSignOut hasFactor />
        </>
      )
    case 'enrol':
      return <EnrolStage onEnrolled={continueToTarget} />
  }
}

function EnrolStage({ onEnrolled }: { onEnrolled: () => void | Promise<void> }) {
  const [type, setType] = useState<FactorType>()
  return (
    <>
      <PageHeader title={m.two_step_enrol_title()}>{m.two_step_enrol_intro()}</PageHeader>
      <Card className="grid gap-5">
        {type ? (
          <>
            <EnrolFactor type={type} factors={[]} onEnrolled={onEnrolled} />
            <Button variant="ghost" onClick={() => setType(undefined)}>
              {m.factor_choose_other()}
            </Button>
          </>
        ) : (
          <FactorTypeButtons onChoose={setType} />
        )}
      </Card>
      <HelpAndSignOut />
    </>
  )
}

/** Offers help and the sign-out to somebody who cannot take the second step, or does not want to set one up now. */
function HelpAndSignOut({ hasFactor = false }) {
  const leave = async () => {
    await signOut()
    location.assign(href(paths.home()))
  }
  return (
    <div className="grid justify-items-center gap-1 pt-6 text-center text-ink-soft">
      {hasFactor && (
        <p>
          {m.two_step_lost()}{' '}
          <Link to={paths.contact()} className="link inline-block py-2.5">
            {m.two_step_contact()}
          </Link>
        </p>
      )}
      <button type="button" className="link py-2.5" onClick={() => void leave()}>
        {m.action_sign_out()}
      </button>
    </div>
  )
}
