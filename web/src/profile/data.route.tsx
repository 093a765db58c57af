import { listBlocks } from '#contract/blocks.ts'
import { urlOf } from '~/lib/http/api'
import { privatePageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import { m } from '~/paraglide/messages'
import { BlockedPeople } from './BlockedPeople.tsx'
import { DataExport } from './DataExport.tsx'
import { DeleteAccount } from './DeleteAccount.tsx'

export const handle: RouteHandle = { prefetch: [urlOf(listBlocks, {})] }

export const meta = () => privatePageMeta(`${m.profile_part_data()} · ${m.profile_title()}`)

/** Renders the part of the profile about what is kept, and its end. */
export default function YourData() {
  return (
    <>
      <DataExport />
      <BlockedPeople />
      <DeleteAccount />
    </>
  )
}
