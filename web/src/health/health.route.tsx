import { useQuery } from '@tanstack/react-query'
import { getHealth } from '#contract/health.ts'
import { urlOf } from '~/lib/http/api'
import { privatePageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import { prefetchBeforeRender } from '~/lib/query/prefetch-before-render'
import { queryClient } from '~/lib/query/query-client'
import { m } from '~/paraglide/messages'
import { ErrorState } from '~/ui/ErrorState'
import { PageHeader } from '~/ui/PageHeader'
import { Loading, Skeleton } from '~/ui/Skeleton'
import { FailedMails } from './FailedMails.tsx'
import { JobList } from './JobList.tsx'
import { Overview } from './Overview.tsx'
import { ProcessList } from './ProcessList.tsx'
import { healthQuery } from './queries.ts'
import { WarningList } from './WarningList.tsx'

const FIRST = urlOf(getHealth, {})

export const handle: RouteHandle = { prefetch: [FIRST] }

export const clientLoader = () => prefetchBeforeRender(FIRST, () => queryClient.prefetchQuery(healthQuery))

export const meta = () => privatePageMeta(m.admin_health_title())

/** Renders /admin/health: whether everything runs, and what needs doing (decision process-health). */
export default function HealthPage() {
  const { data: health, error, refetch } = useQuery(healthQuery)
  return (
    <>
      <PageHeader title={m.admin_health_title()}>{m.health_intro()}</PageHeader>
      {health ? (
        <div className="grid gap-8">
          <WarningList health={health} isStale={error !== null} />
          <Overview health={health} />
          {health.mails.failed > 0 && <FailedMails />}
          <ProcessList processes={health.processes} />
          <JobList jobs={health.jobs} />
        </div>
      ) : error ? (
        <ErrorState title={m.health_failed()} error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading>
          <div className="grid gap-8">
            <Skeleton className="h-24 rounded-2xl!" />
            <Skeleton className="h-48 rounded-2xl!" />
            <Skeleton className="h-72 rounded-2xl!" />
          </div>
        </Loading>
      )}
    </>
  )
}
