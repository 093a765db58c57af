import { listIncidents } from '#contract/incidents.ts'
import { urlOf } from '~/lib/http/api'
import { privatePageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import { prefetchBeforeRender } from '~/lib/query/prefetch-before-render'
import { queryClient } from '~/lib/query/query-client'
import { m } from '~/paraglide/messages'
import { IncidentsPage } from './IncidentsPage.tsx'
import { incidentsQuery } from './queries.ts'

const FIRST = urlOf(listIncidents, {})

export const handle: RouteHandle = { prefetch: [FIRST] }

export const clientLoader = () => prefetchBeforeRender(FIRST, () => queryClient.prefetchInfiniteQuery(incidentsQuery))

export const meta = () => privatePageMeta(m.admin_incidents_title())

export default function Incidents() {
  return <IncidentsPage />
}
