import { lazy, Suspense } from 'react'
import { paths } from '#contract/paths.ts'
import { AuthFailureAlert } from '~/auth/AuthFailureAlert'
import { AuthSkeleton } from '~/auth/AuthSkeleton'
import { Link } from '~/lib/i18n/i18n'
import { useHydrated } from '~/lib/page/browser-state'
import { privatePageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import { signOut } from '~/lib/session/sign-out'
import { getStoredSession } from '~/lib/session/stored-session'
import { UserContext } from '~/lib/session/user'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { buttonClass } from '~/ui/button-class'
import { Card } from '~/ui/Card'
import { PageHeader } from '~/ui/PageHeader'
import { AppealSection } from './AppealSection.tsx'
import { SanctionSummary } from './SanctionSummary.tsx'
import { useSanction } from './use-sanction.ts'

export const handle: RouteHandle = { accountPage: true }

export const meta = () => privatePageMeta(m.sanction_title_suspend())

/** Loaded once the reader is known to have data here. */
const OwnData = lazy(() => import('./OwnData.tsx'))

/**
 * Renders /suspended, which suspended people see instead of the app (decision sanctions-and-appeals): what was decided, until when and why,
 * the appeal, and the rights over their data that remain by law.
 */
export default function SuspendedPage() {
  return useHydrated() ? <Suspended /> : <AuthSkeleton text={m.loading()} />
}

function Suspended() {
  const state = useSanction(undefined)
  switch (state.status) {
    case 'loading':
      return <AuthSkeleton text={m.loading()} />
    case 'failed':
      return <NotShown failure={state.failure} retry={state.retry} />
    case 'shown': {
      const { sanction } = state
      const user = getStoredSession()?.user
      if (sanction.kind !== 'suspend' || !sanction.in_force) return <NotSuspended />
      return (
        <>
          <PageHeader title={m.sanction_title_suspend()} />
          <div className="grid gap-5">
            <SanctionSummary sanction={sanction} />
            <AppealSection sanction={sanction} token={undefined} />
            {user && (
              <UserContext value={user}>
                <Suspense fallback={null}>
                  <OwnData />
                </Suspense>
              </UserContext>
            )}
            <button type="button" className="link justify-self-center py-2.5" onClick={() => void signOut()}>
              {m.action_sign_out()}
            </button>
          </div>
        </>
      )
    }
  }
}

function NotShown({
  failure,
  retry,
}: {
  failure: Parameters<typeof AuthFailureAlert>[0]['failure']
  retry: () => void
}) {
  if (failure?.code === 'nothing_to_appeal') return <NotSuspended />
  const isSignedOut = failure?.code === 'signed_out' || failure?.code === 'session_ended'
  return (
    <>
      <PageHeader title={m.sanction_title_suspend()} />
      <Card className="grid gap-5">
        {isSignedOut ? (
          <>
            <p>{m.suspended_sign_in()}</p>
            <Link to={paths.login(paths.suspended())} className={buttonClass('primary', 'lg')}>
              {m.action_log_in()}
            </Link>
          </>
        ) : (
          <>
            <AuthFailureAlert failure={failure} />
            <Button variant="primary" size="lg" onClick={retry}>
              {m.action_retry()}
            </Button>
          </>
        )}
      </Card>
    </>
  )
}

function NotSuspended() {
  return (
    <>
      <PageHeader title={m.suspended_not_title()} />
      <Link to={paths.dashboard()} className={buttonClass('primary', 'lg')}>
        {m.suspended_open()}
      </Link>
    </>
  )
}
