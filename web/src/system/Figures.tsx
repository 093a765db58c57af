import { ChevronDown, CircleCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { COUNT_MAX, type Health, type JobFigures, type ProcessFigures, type ReturnReason } from '#contract/health.ts'
import { jobName } from '#contract/job-names.ts'
import { getLocale } from '~/lib/i18n/i18n'
import { verbatim } from '~/lib/i18n/verbatim'
import { m } from '~/paraglide/messages'
import { RelativeTime } from '~/ui/signed-in/RelativeTime'
import { SendWaitingMails } from './FailedMails.tsx'
import { formatBytes, formatCount, formatDuration, processName } from './format.ts'

/** Says in one line that all else is well, and unfolds the figures: queues, database and backups, processes, jobs. */
export function Figures({ health }: { health: Health }) {
  const { mails, pushes, backup, database, processes, jobs, warnings } = health
  return (
    <details className="group rounded-2xl border border-line bg-surface shadow-card">
      <summary className="flex min-h-16 items-center gap-3 rounded-2xl px-5 py-3 sm:px-6">
        <CircleCheck aria-hidden="true" className="size-6 shrink-0 text-good" />
        {/* announced when it changes */}
        <span role="status" className="text-lg font-bold">
          {warnings.length === 0 ? m.health_fine() : m.health_fine_else()}
        </span>
        <ChevronDown aria-hidden="true" className="ml-auto size-5 shrink-0 text-ink-soft group-open:rotate-180" />
      </summary>
      <div className="gap-x-10 border-t border-line px-5 pt-6 sm:px-6 lg:columns-2">
        <Part
          title={m.health_mails()}
          figures={{
            ...queueFigures(mails),
            [m.health_mails_failed()]: countText(mails.failed),
            [m.health_mails_returned()]: m.health_mails_returned_text({
              count: formatCount(mails.returned_in_a_day),
              total: countText(mails.sent_in_a_day),
            }),
            [m.health_unreachable()]: unreachableText(mails.unreachable),
          }}
        >
          {mails.waiting > 0 && <SendWaitingMails className="justify-self-start" />}
        </Part>
        <Part title={m.health_pushes()} figures={queueFigures(pushes)} />
        <Part
          title={m.health_database()}
          figures={{
            [m.health_backup()]: backup.succeeded_at ? (
              <RelativeTime iso={backup.succeeded_at} />
            ) : (
              m.health_backup_unknown()
            ),
            [m.health_database_size()]: formatBytes(database.bytes),
            PostgreSQL: database.version,
            [m.health_schema()]: database.schema,
          }}
        />
        {processes.map((process) => (
          <Part key={process.id} title={processName(process)} figures={processFigures(process)} />
        ))}
        <Part title={m.health_jobs()} figures={jobFigures(jobs)} />
      </div>
    </details>
  )
}

const countText = (count: number) =>
  count >= COUNT_MAX ? m.health_at_least({ count: formatCount(count) }) : formatCount(count)

const RETURN_REASONS: Record<ReturnReason, () => string> = {
  gone: m.health_return_gone,
  full: m.health_return_full,
  blocked: m.health_return_blocked,
  other: m.health_return_other,
}

/** Says how many addresses emails come back from, and why: '12 (no such mailbox: 9, mailbox full: 3)'. */
function unreachableText(unreachable: Health['mails']['unreachable']): string {
  const total = formatCount(unreachable.reduce((sum, { count }) => sum + count, 0))
  const reasons = unreachable.map(
    ({ reason, count }) => `${RETURN_REASONS[reason]()}${m.colon()} ${formatCount(count)}`,
  )
  return reasons.length === 0 ? total : `${total} (${reasons.join(', ')})`
}

const queueFigures = ({ waiting, oldest_at }: Health['pushes']) => ({
  [m.health_waiting()]: countText(waiting),
  [m.health_oldest()]: oldest_at ? <RelativeTime iso={oldest_at} /> : m.health_none_due(),
})

const processFigures = (process: ProcessFigures) => ({
  [m.health_version()]: process.version,
  'Node.js': process.node,
  [m.health_started()]: <RelativeTime iso={process.started_at} />,
  [m.health_streams()]: formatCount(process.streams),
  [m.health_pool()]: m.health_pool_text({
    used: process.pool_in_use,
    size: process.pool_size,
    waiting: process.pool_waiting,
  }),
  [m.health_delay()]: formatDuration(process.event_loop_delay_ms),
  [m.health_memory()]: formatBytes(process.memory_bytes),
  [m.health_disk()]:
    process.disk_free_bytes === null || process.disk_total_bytes === null
      ? m.health_disk_none()
      : m.health_disk_text({
          free: formatBytes(process.disk_free_bytes),
          total: formatBytes(process.disk_total_bytes),
        }),
})

const nameOf = ({ name }: JobFigures) => jobName(name, getLocale())

const jobFigures = (jobs: JobFigures[]): Record<string, ReactNode> => {
  const figures: Record<string, ReactNode> = {}
  const byName = new Intl.Collator(getLocale())
  for (const job of [...jobs].sort((a, b) => byName.compare(nameOf(a), nameOf(b))))
    figures[nameOf(job)] = <JobRun job={job} />
  return figures
}

/** Shows when a job last began, and how long that took or that it failed. */
function JobRun({ job: { started_at, took_ms, ok, error } }: { job: JobFigures }) {
  return (
    <>
      <RelativeTime iso={started_at} />
      {', '}
      {ok === false ? (
        <span className="font-bold text-danger">
          {verbatim(m.health_job_failed({ error: error ?? '' }), error ?? '')}
        </span>
      ) : took_ms === null ? (
        m.health_job_running()
      ) : (
        formatDuration(took_ms)
      )}
    </>
  )
}

/** Shows figures by their names. */
function Part({
  title,
  figures,
  children,
}: {
  title: string
  figures: Record<string, ReactNode>
  children?: ReactNode
}) {
  return (
    <section aria-label={title} className="grid break-inside-avoid gap-2 pb-6">
      <h2 className="font-bold">{title}</h2>
      <dl className="grid gap-1">
        {Object.entries(figures).map(([label, figure]) => (
          <div key={label} className="flex flex-wrap items-baseline justify-between gap-x-4">
            <dt className="text-ink-soft">{label}</dt>
            <dd className="tabular-nums">{figure}</dd>
          </div>
        ))}
      </dl>
      {children}
    </section>
  )
}
