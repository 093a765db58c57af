import { useQuery } from '@tanstack/react-query'
import { ChevronRight, ScrollText, TriangleAlert } from 'lucide-react'
import type { Health, HealthWarning } from '#contract/health.ts'
import { jobName } from '#contract/job-names.ts'
import { paths } from '#contract/paths.ts'
import { getLocale, Link } from '~/lib/i18n/i18n'
import { verbatim } from '~/lib/i18n/verbatim'
import { privatePageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import { prefetchBeforeRender } from '~/lib/query/query-client'
import { m } from '~/paraglide/messages'
import { PageHeader } from '~/ui/PageHeader'
import { Skeleton } from '~/ui/Skeleton'
import { Loaded } from '~/ui/signed-in/LoadedPart'
import { DateTime } from '~/ui/signed-in/RelativeTime'
import { FailedMails, SendWaitingMails } from './FailedMails.tsx'
import { Figures } from './Figures.tsx'
import { processName } from './format.ts'
import { healthQuery } from './queries.ts'
import { WARNINGS } from './warning-texts.ts'

export const handle: RouteHandle = { prefetch: [healthQuery] }

export const clientLoader = () => prefetchBeforeRender(healthQuery)

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
      <div className="grid gap-3">
        <Loaded
          query={{ data: health, error, refetch }}
          failedTitle={m.health_failed()}
          skeleton={<Skeleton className="h-16 rounded-2xl!" />}
        >
          {(loaded) => (
            <div className="grid gap-6">
              <WarningList health={loaded} />
              {loaded.mails.failed > 0 && <FailedMails />}
              <Figures health={loaded} />
            </div>
          )}
        </Loaded>
        {(health || error) && <AuditLogLink />}
      </div>
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

/** Names what a warning is about: a process that runs, or a job. */
function subjectText(subject: string | null, { processes }: Health): string {
  if (subject === null) return ''
  const process = processes.find(({ id }) => id === subject)
  return process ? processName(process) : jobName(subject, getLocale())
}

/** Shows what needs doing, and what to do about it; nothing when everything is well. */
function WarningList({ health }: { health: Health }) {
  const { warnings } = health
  return (
    // announced when it changes; empty, it takes no room
    <div role="status" className="grid gap-3 empty:-mb-6">
      {warnings.length > 0 && (
        <>
          <h2 className="text-xl font-bold">{m.health_warnings({ count: warnings.length })}</h2>
          <ul className="grid gap-3">
            {warnings.map(({ code, subject }) => (
              <Warning key={`${code} ${subject}`} code={code} subject={subjectText(subject, health)} />
            ))}
          </ul>
        </>
      )}
    </div>
  )
}

function Warning({ code, subject }: { code: HealthWarning['code']; subject: string }) {
  const text = WARNINGS[code]
  if (!text) return null // a newer server may know more
  return (
    <li className="flex items-start gap-3 rounded-2xl border border-warn/30 bg-warn-soft p-5">
      <TriangleAlert aria-hidden="true" className="mt-0.5 size-6 shrink-0 text-warn" />
      <div className="grid min-w-0 gap-1">
        <p className="font-bold text-warn">{verbatim(text.title({ subject }), subject)}</p>
        <p className="max-w-prose">{text.toDo()}</p>
        {code === 'mails_late' && <SendWaitingMails className="mt-2 justify-self-start" />}
      </div>
    </li>
  )
}
