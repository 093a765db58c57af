import { TriangleAlert } from 'lucide-react'
import type { Health, HealthWarning } from '#contract/health.ts'
import { getLocale } from '~/lib/i18n/i18n'
import { m } from '~/paraglide/messages'
import { SendWaitingMails } from './FailedMails.tsx'
import { jobName, processName } from './format.ts'
import { WARNINGS } from './warning-texts.ts'

/** Names what a warning is about: a process that runs, or a job. */
function subjectText(subject: string | null, { processes }: Health): string {
  if (subject === null) return ''
  const process = processes.find(({ id }) => id === subject)
  return process ? processName(process) : jobName(subject)
}

/** Shows what needs doing, and what to do about it; nothing when everything is well. */
export function WarningList({ health }: { health: Health }) {
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
  const text = WARNINGS[getLocale()][code]
  if (!text) return null // a newer server may know more
  return (
    <li className="flex items-start gap-3 rounded-2xl border border-warn/30 bg-warn-soft p-5">
      <TriangleAlert aria-hidden="true" className="mt-0.5 size-6 shrink-0 text-warn" />
      <div className="grid min-w-0 gap-1">
        <p className="font-bold wrap-anywhere text-warn">{text.title(subject)}</p>
        <p className="max-w-prose wrap-anywhere">{text.toDo}</p>
        {code === 'mails_late' && <SendWaitingMails className="mt-2 justify-self-start" />}
      </div>
    </li>
  )
}
