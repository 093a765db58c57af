import { useState } from 'react'
import { useNavigate } from 'react-router'
import { paths } from '#contract/paths.ts'
import { authRequest } from '~/auth/auth-request'
import { type FactorType, FactorTypeButtons, verifiedFactors } from '~/auth/factors'
import { hydrated, useOpened } from '~/auth/Opened'
import { redirectTarget } from '~/auth/safe-redirect'
import { href, Link, stripLocale } from '~/lib/i18n/i18n'
import { privatePageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import { signOut } from '~/lib/session/sign-out'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { PageHeader } from '~/ui/PageHeader'
import { EnrolFactor } from './EnrolFactor.tsx'
import { FactorStep } from './FactorChallenge.tsx'

export const handle: RouteHandle = { accountPage: true }

export const meta = () => privatePageMeta(m.two_step_title())

/**
 * Asks the server which step this session still needs. A token that says it needs none is renewed first, since the server
 * may have sent the user here because the factor it was verified with has been removed.
 */
const inspectSession = () =>
  authRequest(m.error_unexpected(), async ({ auth, renewToken }) => {
    const level = await auth.mfa.getAuthenticatorAssuranceLevel()
    if (level.data?.currentLevel === 'aal2') await renewToken()
    const { data, error } = await auth.getUser()
    const renewed = await auth.mfa.getAuthenticatorAssuranceLevel()
    const factors = verifiedFactors(data.user)
    // an ordinary account without a second factor needs no step either
    const complete =
      renewed.data?.currentLevel === 'aal2' || (factors.length === 0 && data.user?.user_metadata['is_admin'] !== true)
    return { data: { factors, complete }, error }
  })

/** Renders /two-step: the second step of signing in, and for admins who need one and have none, setting it up. */
export default hydrated(function TwoStepPage() {
  const navigate = useNavigate()
  const target = redirectTarget()
  const leaveFor = async (path: string) => {
    await navigate(href(path), { replace: true })
    return undefined
  }
  const continueToTarget = () => leaveFor(stripLocale(target))
  const { data: factors, placeholder } = useOpened({
    title: m.two_step_title(),
    logIn: () => leaveFor(paths.login(target)),
    async open(signal) {
      const inspected = await inspectSession()
      if (signal.aborted) return undefined
      return inspected.complete ? continueToTarget() : inspected.factors
    },
  })

  if (!factors) return placeholder
  // an admin who has no second factor yet sets one up
  if (factors.length === 0) return <EnrolStage onEnrolled={continueToTarget} />
  return (
    <>
      <FactorStep factors={factors} onVerified={continueToTarget} />
      <HelpAndSignOut hasFactor />
    </>
  )
})

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
        <>
          <p>
            {m.two_step_not_yours()}{' '}
            <Link to={paths.forgotPassword()} className="link inline-block py-2.5">
              {m.reset_title()}
            </Link>
          </p>
          <p>
            {m.two_step_lost()}{' '}
            <Link to={paths.contact()} reloadDocument className="link inline-block py-2.5">
              {m.two_step_contact()}
            </Link>
          </p>
        </>
      )}
      <button type="button" className="link py-2.5" onClick={() => void leave()}>
        {m.action_sign_out()}
      </button>
    </div>
  )
}
