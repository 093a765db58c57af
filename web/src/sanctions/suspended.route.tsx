import { lazy, Suspense } from 'react'
import { paths } from '#contract/paths.ts'
import type { OwnSanction } from '#contract/sanctions.ts'
import { hydrated } from '~/auth/Opened'
import { Link } from '~/lib/i18n/i18n'
import { privatePageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import { signOut } from '~/lib/session/sign-out'
import { getSession } from '~/lib/session/tab-session'
import { UserContext } from '~/lib/session/user'
import { m } from '~/paraglide/messages'
import { buttonClass } from '~/ui/button-class'
import { PageHeader } from '~/ui/PageHeader'
import { LoadedSanction, SanctionParts } from './LoadedSanction.tsx'

export const handle: RouteHandle = { accountPage: true }

export const meta = () => privatePageMeta(m.sanction_title_suspend())

/** Loaded once the reader is known to have data here. */
const DataRights = lazy(() => import('~/profile/DataRights'))

/**
 * Renders /suspended, which suspended people see instead of the app (decision sanctions-and-appeals): what was decided, until when and why,
 * the appeal, and the rights over their data that remain by law.
 */
export default hydrated(function SuspendedPage() {
  return (
    <LoadedSanction title={m.sanction_title_suspend()} path={paths.suspended()} none={<NotSuspended />}>
      {(sanction) =>
        sanction.kind === 'suspend' && sanction.in_force ? <Suspension sanction={sanction} /> : <NotSuspended />
      }
    </LoadedSanction>
  )
})

function Suspension({ sanction }: { sanction: OwnSanction }) {
  const user = getSession()?.user
  return (
    <>
      <PageHeader title={m.sanction_title_suspend()} />
      <div className="grid gap-5">
        <SanctionParts sanction={sanction} token={undefined} />
        {user && (
          <UserContext value={user}>
            <Suspense fallback={null}>
              <DataRights title={m.suspended_data()} text={m.suspended_data_text()} className="pt-4" />
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
