import { useQuery } from '@tanstack/react-query'
import { ScrollText } from 'lucide-react'
import { getHealth } from '#contract/health.ts'
import { paths } from '#contract/paths.ts'
import { urlOf } from '~/lib/http/api'
import { Link } from '~/lib/i18n/i18n'
import { privatePageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import { prefetchBeforeRender } from '~/lib/query/prefetch-before-render'
import { queryClient } from '~/lib/query/query-client'
import { m } from '~/paraglide/messages'
import { buttonClass } from '~/ui/button-class'
import { ErrorState } from '~/ui/ErrorState'
import { PageHeader } from '~/ui/PageHeader'
import { Loading, Skeleton } from '~/ui/Skeleton'
import { DateTime } from '~/ui/signed-in/RelativeTime'
import { FailedMails } from './FailedMails.tsx'
import { Figures } from './Figures.tsx'
import { healthQuery } from './queries.ts'
import { WarningList } from './WarningList.tsx'

const FIRST = urlOf(getHealth, {})

export const handle: RouteHandle = { prefetch: [FIRST] }

export const clientLoader = () => prefetchBeforeRender(FIRST, () => queryClient.prefetchQuery(healthQuery))

export const meta = () => privatePageMeta(m.admin_system_title())

/** Renders /admin/system: what needs doing, and all that is well in one line that unfolds (decision process-health). */
export default function SystemPage() {
  const { data: health, error, refetch } = useQuery(healthQuery)
  return (
    <>
      <PageHeader
        title={m.admin_system_title()}
        action={
          <Link to={paths.adminAuditLog()} className={buttonClass()}>
            <ScrollText aria-hidden="true" className="size-5" />
            {m.admin_audit_title()}
          </Link>
        }
      >
        {health ? (
          <>
            {error ? m.health_stale() : m.health_as_of()} <DateTime iso={health.at} />
          </>
        ) : (
          '\u00a0' // the line is there from the start
        )}
      </PageHeader>
      {health ? (
        <div className="grid gap-6">
          <WarningList health={health} />
          {health.mails.failed > 0 && <FailedMails />}
          <Figures health={health} />
        </div>
      ) : error ? (
        <ErrorState title={m.health_failed()} error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading>
          <Skeleton className="h-16 rounded-2xl!" />
        </Loading>
      )}
    </>
  )
}
