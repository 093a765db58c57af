import clsx from 'clsx'
import { ArrowUp } from 'lucide-react'
import type { InboxItem } from '#contract/inbox.ts'
import { paths } from '#contract/paths.ts'
import { Link } from '~/lib/i18n/i18n'
import { useNow } from '~/lib/time/use-now'
import { m } from '~/paraglide/messages'
import { RelativeTime } from '~/ui/signed-in/RelativeTime'
import { actionTexts, describeDue, itemTitle, KINDS } from './inbox-texts.ts'

type Props = {
  item: InboxItem
  /** What the list shows, which stays so. */
  query: string
  isOpen: boolean
}

/** Shows one item of the inbox in two lines: its kind and when it is due, and what it is about. */
export function InboxRow({ item, query, isOpen }: Props) {
  const { kind, id } = item
  const { icon: Icon, name } = KINDS[kind]
  return (
    <li>
      <Link
        to={paths.adminInbox(kind, id) + query}
        data-item={id}
        aria-current={isOpen ? 'true' : undefined}
        className="grid gap-0.5 border-l-4 border-transparent py-3 pr-4 pl-3 hover:bg-sunken focus-visible:-outline-offset-2 aria-[current]:border-signal aria-[current]:bg-sunken"
      >
        <span className="flex items-center gap-2 text-sm text-ink-soft">
          <Icon aria-hidden="true" className="size-4 shrink-0" />
          {name()}
          <span className="ml-auto">
            <State item={item} />
          </span>
        </span>
        <span className="font-bold wrap-anywhere">{itemTitle(item)}</span>
        {item.kind === 'report' && item.is_raised && item.state === 'open' && (
          <span className="flex items-center gap-1 text-sm font-bold text-danger">
            <ArrowUp aria-hidden="true" className="size-4" />
            {m.inbox_raised()}
          </span>
        )}
      </Link>
    </li>
  )
}

/** Says when it is due, how old it is, or how it was decided. */
function State({ item }: { item: InboxItem }) {
  const now = useNow()
  if (item.kind === 'dispute') {
    const { text, tone } = describeDue(item, now)
    return <span className={clsx(tone === 'danger' && 'font-bold text-danger')}>{text}</span>
  }
  if (item.kind === 'report' && item.decision) return actionTexts(item.decision.action, item.side).done()
  if (item.kind === 'appeal' && item.upheld !== null) return item.upheld ? m.appeals_kept() : m.appeals_lifted()
  return <RelativeTime iso={item.created_at} />
}
