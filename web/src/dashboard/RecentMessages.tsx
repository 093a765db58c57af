import { Mail } from 'lucide-react'
import type { Dashboard } from '#contract/dashboard.ts'
import { paths } from '#contract/paths.ts'
import { localizedMessageText } from '#contract/reasons.ts'
import { getLocale, Link } from '~/lib/i18n/i18n'
import { m } from '~/paraglide/messages'
import { Badge } from '~/ui/Badge'
import { Plate } from '~/ui/Plate'
import { RelativeTime } from '~/ui/signed-in/RelativeTime'
import { DashboardPanel, EmptyPanel } from './DashboardPanel.tsx'

type Props = { messages: Dashboard['recent_messages']; unread: number }

/** Shows the latest received messages, and how many are unread. */
export function RecentMessages({ messages, unread }: Props) {
  return (
    <DashboardPanel
      title={m.dashboard_recent_messages()}
      badge={unread > 0 && <Badge tone="warn">{m.dashboard_unread({ count: unread })}</Badge>}
      viewAll={messages.length > 0 && { to: paths.messages('received'), text: m.dashboard_all_messages() }}
    >
      {messages.length === 0 ? (
        <EmptyPanel icon={Mail}>{m.dashboard_no_messages()}</EmptyPanel>
      ) : (
        <ul className="-mx-3 grid">
          {messages.map((message) => (
            <li key={message.id}>
              <Link
                to={paths.messages('received', message.id)}
                className="flex items-start gap-4 rounded-xl p-3 hover:bg-ink/5"
              >
                <Plate plate={message.plate} size="sm" className="shrink-0" />
                <span className="grid min-w-0 flex-1 gap-1">
                  <span
                    className={`line-clamp-2 leading-snug break-words ${message.is_read ? 'text-ink-soft' : 'font-bold'}`}
                  >
                    {localizedMessageText(message, getLocale())}
                  </span>
                  <span className="flex flex-wrap items-center gap-x-2 text-sm text-ink-soft">
                    {!message.is_read && (
                      <>
                        <span className="flex items-center gap-1.5 font-bold text-pine">
                          <span aria-hidden="true" className="size-2 rounded-full bg-pine" />
                          {m.dashboard_unread_one()}
                        </span>
                        <span aria-hidden="true">·</span>
                      </>
                    )}
                    <RelativeTime iso={message.inserted_at} />
                  </span>
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </DashboardPanel>
  )
}
