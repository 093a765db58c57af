import clsx from 'clsx'
import type { Dashboard } from '#contract/dashboard.ts'
import type { ReceivedMessage } from '#contract/messages.ts'
import { paths } from '#contract/paths.ts'
import { localizedMessageText, reasonName } from '#contract/reasons.ts'
import { getLocale } from '~/lib/i18n/i18n'
import { m } from '~/paraglide/messages'
import { Badge } from '~/ui/Badge'
import { RelativeTime } from '~/ui/signed-in/RelativeTime'
import { DashboardPanel, DashboardRow } from './DashboardPanel.tsx'

type Props = { messages: Dashboard['recent_messages']; unread: number }

/** Returns what a message is about: its reason, or else how it begins. */
export const messageSubject = (message: ReceivedMessage): string =>
  reasonName(message.reason, getLocale()) ?? localizedMessageText(message, getLocale())

/** Shows the latest received messages, and how many are unread. */
export function RecentMessages({ messages, unread }: Props) {
  return (
    <DashboardPanel
      title={m.dashboard_recent_messages()}
      badge={unread > 0 && <Badge tone="warn">{m.dashboard_unread({ count: unread })}</Badge>}
      to={paths.messages('received')}
      empty={m.dashboard_no_messages()}
    >
      {messages.map((message) => (
        <DashboardRow key={message.id} to={paths.messages('received', message.id)} plate={message.plate}>
          <span className="grid min-w-0 flex-1">
            <span
              className={clsx(
                'leading-snug',
                message.is_read ? 'truncate text-ink-soft' : 'line-clamp-2 font-bold break-words',
              )}
            >
              {messageSubject(message)}
            </span>
            <span className="flex flex-wrap items-center gap-x-2 text-sm text-ink-soft">
              {!message.is_read && (
                <>
                  <span className="flex items-center gap-1.5 font-bold text-pine">
                    <span aria-hidden="true" className="size-2 rounded-full bg-pine forced-color-adjust-none" />
                    {m.dashboard_unread_one()}
                  </span>
                  <span aria-hidden="true">·</span>
                </>
              )}
              <RelativeTime iso={message.inserted_at} />
            </span>
          </span>
        </DashboardRow>
      ))}
    </DashboardPanel>
  )
}
