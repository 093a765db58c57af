import { useQuery } from '@tanstack/react-query'
import { ChevronRight, ScrollText } from 'lucide-react'
import { getHealth } from '#contract/health.ts'
import { paths } from '#contract/paths.ts'
import { urlOf } from '~/lib/http/api'
import { Link } from '~/lib/i18n/i18n'
import { privatePageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import { prefetchBeforeRender } from '~/lib/query/prefetch-before-render'
import { queryClient } from '~/lib/query/query-client'
import { m } from '~/paraglide/messages'
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
      <PageHeader title={m.admin_system_title()}>
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
          <div className="grid gap-3">
            <Figures health={health} />
            <AuditLogLink />
          </div>
        </div>
      ) : error ? (
        <div className="grid gap-6">
          <ErrorState title={m.health_failed()} error={error} onRetry={() => void refetch()} />
          <AuditLogLink />
        </div>
      ) : (
        <Loading>
          <Skeleton className="h-16 rounded-2xl!" />
        </Loading>
      )}
    </>
  )
}

const AuditLogLink = () => (
  <Link
    to={paths.adminAuditLog()}
    className="flex min-h-16 items-center gap-3 rounded-2xl border border-line bg-surface px-5 py-3 text-lg font-bold shadow-card hover:border-line-strong sm:px-6"
  >
    <ScrollText aria-hidden="true" className="size-6 shrink-0 text-pine" />
    {m.admin_audit_title()}
    <ChevronRight aria-hidden="true" className="ml-auto size-5 shrink-0 text-ink-soft" />
  </Link>
)
