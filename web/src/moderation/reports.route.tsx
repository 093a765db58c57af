import { listCases } from '#contract/cases.ts'
import { urlOf } from '~/lib/http/api'
import { privatePageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import { prefetchBeforeRender } from '~/lib/query/prefetch-before-render'
import { queryClient } from '~/lib/query/query-client'
import { m } from '~/paraglide/messages'
import { casesQuery } from './queries.ts'
import { ReportsPage } from './ReportsPage.tsx'

const FIRST = urlOf(listCases, { state: 'open' })

export const handle: RouteHandle = { prefetch: [FIRST] }

export const clientLoader = () =>
  prefetchBeforeRender(FIRST, () => queryClient.prefetchInfiniteQuery(casesQuery('open')))

export const meta = () => privatePageMeta(m.admin_reports_title())

export default function Reports() {
  return <ReportsPage />
}
