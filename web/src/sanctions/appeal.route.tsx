import { paths } from '#contract/paths.ts'
import { AuthFailureAlert } from '~/auth/AuthFailureAlert'
import { AuthSkeleton } from '~/auth/AuthSkeleton'
import { Link } from '~/lib/i18n/i18n'
import { useHydrated } from '~/lib/page/browser-state'
import { privatePageMeta } from '~/lib/page/page-meta'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { PageHeader } from '~/ui/PageHeader'
import { AppealSection } from './AppealSection.tsx'
import { SanctionSummary, sanctionTitle } from './SanctionSummary.tsx'
import { useSanction } from './use-sanction.ts'

export const meta = () => privatePageMeta(m.appeal_page_title())

/** Returns the token of the emailed link from the fragment, which is sent to no server and no other site. */
const tokenInAddress = () => new URLSearchParams(location.hash.slice(1)).get('token') ?? undefined

/** Renders /appeal (decision sanctions-and-appeals): for the emailed link, which needs no session, or for the signed-in user. */
export default function AppealPage() {
  return useHydrated() ? <Appeal token={tokenInAddress()} /> : <AuthSkeleton text={m.loading()} />
}

function Appeal({ token }: { token: string | undefined }) {
  const state = useSanction(token)
  if (state.status === 'loading') return <AuthSkeleton text={m.loading()} />
  if (state.status === 'failed') {
    const isSignedOut = state.failure.code === 'signed_out' || state.failure.code === 'session_ended'
    return (
      <>
        <PageHeader title={m.appeal_page_title()} />
        <Card className="grid gap-5">
          {isSignedOut ? <p>{m.suspended_sign_in()}</p> : <AuthFailureAlert failure={state.failure} />}
          {(isSignedOut || state.failure.code === 'appeal_link_invalid') && (
            <Link to={paths.login(paths.appeal())} className="link justify-self-start py-2.5">
              {m.action_log_in()}
            </Link>
          )}
          {(state.failure.code === 'network' || state.failure.retryAfterS !== undefined) && (
            <Button variant="primary" size="lg" onClick={state.retry}>
              {m.action_retry()}
            </Button>
          )}
        </Card>
      </>
    )
  }
  const { sanction } = state
  return (
    <>
      <PageHeader title={sanctionTitle(sanction)} />
      <div className="grid gap-5">
        <SanctionSummary sanction={sanction} />
        <AppealSection sanction={sanction} token={token} />
      </div>
    </>
  )
}
