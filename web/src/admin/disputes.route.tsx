import { listDisputes } from '#contract/admin.ts'
import { addressOf } from '~/lib/api'
import { pageMeta } from '~/lib/page-meta'
import { queryClient } from '~/lib/query-client'
import { readBeforeDrawing } from '~/lib/read-before-drawing'
import type { RouteHandle } from '~/lib/route-handle'
import { m } from '~/paraglide/messages'
import { DisputesPage } from './DisputesPage.tsx'
import { disputesQuery } from './list-queries.ts'

const FIRST = addressOf(listDisputes, {})

export const handle: RouteHandle = { reads: [FIRST] }

export const clientLoader = () => readBeforeDrawing(FIRST, () => queryClient.prefetchInfiniteQuery(disputesQuery))

export const meta = () => pageMeta(m.admin_disputes_title())

export default function Disputes() {
  return <DisputesPage />
}
