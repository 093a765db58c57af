import { Check, Hourglass, X } from 'lucide-react'
import type { JobFigures } from '#contract/health.ts'
import { getLocale } from '~/lib/i18n/i18n'
import { m } from '~/paraglide/messages'
import { Badge } from '~/ui/Badge'
import { EmptyState } from '~/ui/EmptyState'
import { RelativeTime } from '~/ui/signed-in/RelativeTime'
import { formatDuration, jobName } from './format.ts'

/** Lists the background jobs: when each last ran, how long that took, and how it ended. */
export function JobList({ jobs }: { jobs: JobFigures[] }) {
  const sorted = jobs
    .map((job) => ({ job, name: jobName(job.name) }))
    .sort((a, b) => a.name.localeCompare(b.name, getLocale()))
  return (
    <section aria-labelledby="health-jobs" className="grid gap-4">
      <h2 id="health-jobs" className="text-xl font-bold">
        {m.health_jobs()}
      </h2>
      {sorted.length === 0 ? (
        <EmptyState icon={Hourglass} title={m.health_jobs_none()} />
      ) : (
        <table
          aria-labelledby="health-jobs"
          className="block rounded-2xl border border-line bg-surface shadow-card sm:table sm:w-full sm:border-separate sm:border-spacing-0"
        >
          <thead className="sr-only sm:not-sr-only">
            <tr className="text-left text-sm text-ink-soft">
              <th scope="col" className="py-3 pl-6 font-bold">
                {m.health_job()}
              </th>
              <th scope="col" className="px-4 py-3 font-bold">
                {m.health_job_ran()}
              </th>
              <th scope="col" className="px-4 py-3 font-bold">
                {m.health_job_took()}
              </th>
              <th scope="col" className="py-3 pr-6 pl-4 font-bold">
                {m.health_job_outcome()}
              </th>
            </tr>
          </thead>
          <tbody className="block divide-y divide-line sm:table-row-group">
            {sorted.map(({ job, name }) => (
              <JobRow key={job.name} job={job} name={name} />
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

const cell = 'sm:border-t sm:border-line sm:px-4 sm:py-2.5'

function JobRow({ job, name }: { job: JobFigures; name: string }) {
  return (
    <tr className="flex flex-wrap items-center gap-x-4 gap-y-1 px-5 py-3 sm:table-row sm:p-0">
      <th scope="row" className={`w-full text-left font-bold sm:w-auto sm:pl-6 ${cell}`}>
        {name}
      </th>
      <td className={`text-ink-soft ${cell}`}>
        <RelativeTime iso={job.started_at} />
      </td>
      <td className={`text-ink-soft tabular-nums ${cell}`}>
        {job.took_ms === null ? '—' : formatDuration(job.took_ms)}
      </td>
      <td className={`ml-auto sm:pr-6 ${cell}`}>
        <Outcome job={job} />
      </td>
    </tr>
  )
}

function Outcome({ job: { ok, error } }: { job: JobFigures }) {
  if (ok === null) return <Badge icon={Hourglass}>{m.health_job_running()}</Badge>
  if (ok)
    return (
      <Badge icon={Check} tone="good">
        {m.health_job_ok()}
      </Badge>
    )
  return (
    <Badge icon={X} tone="danger">
      {m.health_job_failed({ error: error ?? '' })}
    </Badge>
  )
}
