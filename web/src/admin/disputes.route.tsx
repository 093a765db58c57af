import { listDisputes } from '#contract/admin.ts'
import { urlOf } from '~/lib/http/api'
import { privatePageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import { prefetchBeforeRender } from '~/lib/query/prefetch-before-render'
import { queryClient } from '~/lib/query/query-client'
import { m } from '~/paraglide/messages'
import { DisputesPage } from './DisputesPage.tsx'
import { disputesQuery } from './queries.ts'

const FIRST = urlOf(listDisputes, {})

export const handle: RouteHandle = { prefetch: [FIRST] }

export const clientLoader = () => prefetchBeforeRender(FIRST, () => queryClient.prefetchInfiniteQuery(disputesQuery))

export const meta = () => privatePageMeta(m.admin_disputes_title())

export default function Disputes() {
  return <DisputesPage />
}
