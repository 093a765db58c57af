import clsx from 'clsx'
import { answerText } from '#contract/answers.ts'
import type { SentMessage } from '#contract/messages.ts'
import { formatDateTime, formatWithinDay } from '~/lib/dates/dates'
import { getLocale } from '~/lib/i18n/i18n'
import { useNow } from '~/lib/time/use-now'
import { m } from '~/paraglide/messages'
import { LoadedPart } from '~/ui/signed-in/LoadedPart'
import type { LinkedItem } from '~/ui/signed-in/use-linked-item'
import { MessageCard, Reply } from './MessageCard.tsx'

// loaded on demand: most messages are answered
const loadNoAnswer = () => import('./NoAnswer.tsx')

type Props = { message: SentMessage; linked: LinkedItem | null }

/** Shows an open message the user sent, what has happened to it and its reply. */
export function SentCard({ message, linked }: Props) {
  const { email_status, reply, answer, progress } = message
  return (
    <MessageCard message={message} linked={linked}>
      <Course message={message} />
      {reply !== null && (
        <Reply title={m.message_owner_reply()} answer={answerText(answer, getLocale())} text={reply} at={null} />
      )}
      {reply === null && email_status === 'failed' && (
        <p className="text-sm text-ink-soft">{m.message_email_failed_text()}</p>
      )}
      {reply === null && progress === 'no_answer' && (
        <LoadedPart name="no answer" load={loadNoAnswer} skeleton={null}>
          {({ NoAnswer }) => <NoAnswer message={message} />}
        </LoadedPart>
      )}
    </MessageCard>
  )
}

const DELIVERY: Record<SentMessage['email_status'], () => string> = {
  queued: m.message_notice_queued,
  sent: m.message_notice_sent,
  failed: m.refusal_email_failed,
}

/** Says in one line what has happened to a message so far: 'Sent 2:02 PM · Answered 2:05 PM'. */
function Course({
  message: { plate, inserted_at, reply, replied_at, email_status, progress },
}: Pick<Props, 'message'>) {
  const now = new Date(useNow()).toISOString()
  const sent = m.message_sent_at({ time: formatWithinDay(inserted_at, now, formatDateTime) })
  const delivered = DELIVERY[email_status]()
  const steps: (string | null)[] =
    reply !== null
      ? [sent, replied_at && m.message_answered_at({ time: formatWithinDay(replied_at, inserted_at, formatDateTime) })]
      : // nobody was sent anything about a note
        [
          sent,
          plate === null ? null : delivered,
          progress === 'no_answer' ? m.message_no_answer() : m.message_no_reply(),
        ]
  return (
    <p className={clsx('text-sm', email_status === 'failed' && reply === null ? 'text-danger' : 'text-ink-soft')}>
      {steps.filter((step) => step).join(' · ')}
    </p>
  )
}
