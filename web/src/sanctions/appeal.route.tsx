import { paths } from '#contract/paths.ts'
import { hydrated } from '~/auth/Opened'
import { privatePageMeta } from '~/lib/page/page-meta'
import { m } from '~/paraglide/messages'
import { PageHeader } from '~/ui/PageHeader'
import { LoadedSanction, SanctionParts, sanctionTitle } from './LoadedSanction.tsx'

export const meta = () => privatePageMeta(m.appeal_page_title())

/** Returns the token of the emailed link from the fragment, which is sent to no server and no other site. */
const tokenInAddress = () => new URLSearchParams(location.hash.slice(1)).get('token') ?? undefined

/** Renders /appeal (decision sanctions-and-appeals): for the emailed link, which needs no session, or for the signed-in user. */
export default hydrated(function AppealPage() {
  return (
    <LoadedSanction readToken={tokenInAddress} title={m.appeal_page_title()} path={paths.appeal()}>
      {(sanction, token) => (
        <>
          <PageHeader title={sanctionTitle(sanction)} />
          <div className="grid gap-5">
            <SanctionParts sanction={sanction} token={token} />
          </div>
        </>
      )}
    </LoadedSanction>
  )
})
