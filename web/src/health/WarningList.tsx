import { CircleCheck, TriangleAlert } from 'lucide-react'
import type { Health, HealthWarning } from '#contract/health.ts'
import { getLocale } from '~/lib/i18n/i18n'
import { m } from '~/paraglide/messages'
import { DateTime } from '~/ui/signed-in/RelativeTime'
import { jobName, processName } from './format.ts'
import { WARNINGS } from './warning-texts.ts'

/** Names what a warning is about: a process that runs, or a job. */
function subjectText(subject: string | null, { processes }: Health): string {
  if (subject === null) return ''
  const process = processes.find(({ id }) => id === subject)
  return process ? processName(process) : jobName(subject)
}

/** Shows whether everything is fine, or what needs doing. */
export function WarningList({ health, isStale }: { health: Health; isStale: boolean }) {
  const { warnings, at } = health
  return (
    <section aria-labelledby="health-state" className="grid gap-3">
      <h2 id="health-state" className="sr-only">
        {m.health_state()}
      </h2>
      {/* announced when it changes */}
      <div role="status" className="grid gap-3">
        {warnings.length === 0 ? (
          <p className="flex items-center gap-3 rounded-2xl border border-good/30 bg-good-soft p-5 text-lg font-bold text-good sm:p-6">
            <CircleCheck aria-hidden="true" className="size-7 shrink-0" />
            {m.health_fine()}
          </p>
        ) : (
          <>
            <p className="text-lg font-bold">{m.health_warnings({ count: warnings.length })}</p>
            <ul className="grid gap-3">
              {warnings.map((warning) => (
                <Warning
                  key={`${warning.code} ${warning.subject}`}
                  code={warning.code}
                  subject={subjectText(warning.subject, health)}
                />
              ))}
            </ul>
          </>
        )}
      </div>
      <p className="text-sm text-ink-soft">
        {isStale ? m.health_stale() : m.health_as_of()} <DateTime iso={at} />
      </p>
    </section>
  )
}

function Warning({ code, subject }: { code: HealthWarning['code']; subject: string }) {
  const text = WARNINGS[getLocale()][code]
  if (!text) return null // a newer server may know more
  return (
    <li className="flex items-start gap-3 rounded-2xl border border-warn/30 bg-warn-soft p-5">
      <TriangleAlert aria-hidden="true" className="mt-0.5 size-6 shrink-0 text-warn" />
      <div className="grid min-w-0 gap-1">
        <p className="font-bold wrap-anywhere text-warn">{text.title(subject)}</p>
        <p className="max-w-prose wrap-anywhere">{text.toDo}</p>
      </div>
    </li>
  )
}
