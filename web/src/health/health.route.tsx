import { getHealth } from '#contract/health.ts'
import { urlOf } from '~/lib/http/api'
import { privatePageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import { prefetchBeforeRender } from '~/lib/query/prefetch-before-render'
import { queryClient } from '~/lib/query/query-client'
import { m } from '~/paraglide/messages'
import { HealthPage } from './HealthPage.tsx'
import { healthQuery } from './queries.ts'

const FIRST = urlOf(getHealth, {})

export const handle: RouteHandle = { prefetch: [FIRST] }

export const clientLoader = () => prefetchBeforeRender(FIRST, () => queryClient.prefetchQuery(healthQuery))

export const meta = () => privatePageMeta(m.admin_health_title())

export default function HealthRoute() {
  return <HealthPage />
}
