import { BellRing, Clock, type LucideIcon, MailX } from 'lucide-react'
import { memo } from 'react'
import { answerText } from '#contract/answers.ts'
import type { SentMessage } from '#contract/messages.ts'
import { getLocale } from '~/lib/i18n/i18n'
import { m } from '~/paraglide/messages'
import { SafetyButton } from '~/reports/SafetyButton'
import { Badge, type BadgeTone } from '~/ui/Badge'
import { LoadedPart } from '~/ui/signed-in/LoadedPart'
import type { LinkedItem } from '~/ui/signed-in/use-linked-item'
import { MessageCard, Reply } from './MessageCard.tsx'

// loaded on demand: most messages are answered
const loadNoAnswer = () => import('./NoAnswer.tsx')

type StatusBadge = { tone: BadgeTone; icon: LucideIcon; text: () => string }

const STATUS_BADGES: Record<SentMessage['email_status'], StatusBadge> = {
  queued: { tone: 'neutral', icon: Clock, text: m.message_notice_queued },
  sent: { tone: 'good', icon: BellRing, text: m.message_notice_sent },
  failed: { tone: 'danger', icon: MailX, text: m.message_email_failed },
}

type Props = { message: SentMessage; linked: LinkedItem | null }

/** Shows a message the user sent, the status of its email and its reply. Renders again only when it changes. */
export const SentCard = memo(function SentCard({ message, linked }: Props) {
  const { tone, icon, text } = STATUS_BADGES[message.email_status]
  return (
    <MessageCard
      message={message}
      linked={linked}
      status={
        // nobody was sent anything about a note
        message.plate !== null && (
          <Badge tone={tone} icon={icon}>
            {text()}
          </Badge>
        )
      }
      footer={message.reply !== null && <SafetyButton message={message} />}
    >
      {message.email_status === 'failed' && <p className="text-sm text-ink-soft">{m.message_email_failed_text()}</p>}
      {message.reply === null ? (
        message.progress === 'no_answer' ? (
          <LoadedPart
            name="no answer"
            load={loadNoAnswer}
            skeleton={<p className="text-sm text-ink-soft">{m.message_no_reply()}</p>}
          >
            {({ NoAnswer }) => <NoAnswer message={message} />}
          </LoadedPart>
        ) : (
          <p className="text-sm text-ink-soft">{m.message_no_reply()}</p>
        )
      ) : (
        <Reply
          title={m.message_owner_reply()}
          answer={answerText(message.answer, getLocale())}
          text={message.reply}
          at={message.replied_at}
        />
      )}
    </MessageCard>
  )
})
