import { useId } from 'react'
import { type Dashboard, WAITING_MS } from '#contract/dashboard.ts'
import { paths } from '#contract/paths.ts'
import { useNow } from '~/lib/time/use-now'
import { m } from '~/paraglide/messages'
import { ButtonLink } from '~/ui/Button'
import { Plate } from '~/ui/Plate'
import { RelativeTime } from '~/ui/signed-in/RelativeTime'
import { messageSubject } from './RecentMessages.tsx'

/** Shows the newest message that waits for an answer, while it does, and leads to answering it. */
export function WaitingMessage({ waiting: { newest, total } }: { waiting: Dashboard['waiting'] }) {
  const title = useId()
  const now = useNow()
  if (newest === null || now - Date.parse(newest.inserted_at) > WAITING_MS) return null
  return (
    <section
      aria-labelledby={title}
      className="grid gap-x-6 gap-y-3 rounded-xl bg-signal-soft p-4 sm:grid-cols-[1fr_auto] sm:items-center"
    >
      <div className="flex items-center gap-4">
        <Plate plate={newest.plate} size="sm" className="w-24! shrink-0" />
        <div className="min-w-0">
          <h2 id={title} className="line-clamp-2 font-bold break-words">
            {messageSubject(newest)}
          </h2>
          <p className="flex flex-wrap gap-x-2 text-sm">
            <RelativeTime iso={newest.inserted_at} />
            {total > 1 && <span className="font-bold">{m.dashboard_waiting_more({ count: total - 1 })}</span>}
          </p>
        </div>
      </div>
      <ButtonLink to={paths.messages('received', newest.id)} variant="primary">
        {m.dashboard_answer()}
        <span className="sr-only">{m.reply_about({ plate: newest.plate })}</span>
      </ButtonLink>
    </section>
  )
}
