import { Clock } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { comingBy } from '#contract/answers.ts'
import { noAnswerFrom, type SentMessage } from '#contract/messages.ts'
import { paths } from '#contract/paths.ts'
import { DAY_MS } from '#contract/time.ts'
import { formatTimeNear } from '~/lib/dates/dates'
import { useNow } from '~/lib/time/use-now'
import { m } from '~/paraglide/messages'
import { ButtonLink } from '~/ui/Button'
import { EmergencyCall } from '~/ui/EmergencyCall'
import { LoadedPart } from '~/ui/signed-in/LoadedPart'
import type { LinkedItem } from '~/ui/signed-in/use-linked-item'
import { answerAt } from './AnswerButtons.tsx'
import { MessageCard, Reply } from './MessageCard.tsx'
import { useHasNews, useMarkMessage } from './queries.ts'

// loaded on demand: of the messages in a list most are over
const loadWait = () => import('./WaitOffers.tsx')

type Props = { message: SentMessage; linked: LinkedItem | null }

/** Shows an open message the user sent, from 'sent' to the end: first what has become of it, and what is left to do while nobody comes. */
export function SentCard({ message, linked }: Props) {
  const { plate, inserted_at, reason, email_status, reply, replied_at } = message
  const nextAt = reply === null ? noAnswerFrom(inserted_at, reason) : comingBy(message)
  const now = useNow(nextAt)
  const isLate = nextAt !== null && now >= nextAt
  const isRecent = now < Date.parse(replied_at ?? inserted_at) + DAY_MS
  const said = answerAt(now, message)
  useNews(message, reply === null ? null : (said ?? m.message_owner_reply()), linked !== null)
  const isWaiting = reply === null && plate !== null
  return (
    <MessageCard
      message={message}
      linked={linked}
      lead={
        <>
          {isWaiting && reason === 'someone_inside' && (
            <EmergencyCall title={m.sent_urgent_title()} call={m.call_911()}>
              <p>{m.send_urgent_text()}</p>
            </EmergencyCall>
          )}
          <div role="status" className="grid gap-3">
            <Course message={message} now={now} />
            {reply !== null && <Reply title={m.message_owner_reply()} answer={said} text={reply} at={null} />}
            {isWaiting && (
              <div className="grid max-w-prose gap-1">
                <p className="flex items-center gap-2 text-xl font-bold">
                  <Clock aria-hidden="true" className="size-5 shrink-0 text-pine" />
                  {m.message_no_answer()}
                </p>
                {isRecent && <p>{m.sent_answer_here()}</p>}
                {nextAt && !isLate && (
                  <p className="text-ink-soft">{m.sent_late_at({ time: formatTimeNear(nextAt, now) })}</p>
                )}
                {email_status === 'failed' && <p>{m.message_email_failed_text()}</p>}
              </div>
            )}
          </div>
          {(isWaiting || (isLate && isRecent)) && (
            <LoadedPart name="wait" load={loadWait} skeleton={null}>
              {({ WaitOffers }) => <WaitOffers message={message} isLate={isLate} isRecent={isRecent} />}
            </LoadedPart>
          )}
        </>
      }
    >
      <ButtonLink to={paths.send()} className="sm:justify-self-start">
        {m.send_done_another()}
      </ButtonLink>
    </MessageCard>
  )
}

const VIBRATION_MS = 200

/**
 * Says an answer in the title of the page of its message, and that it has come by a short vibration where the page is in sight. Its
 * notification is then read.
 */
function useNews({ id }: Pick<SentMessage, 'id'>, said: string | null, isLinked: boolean) {
  const wasWaiting = useRef(false)
  const { mutate: mark } = useMarkMessage()
  const hasNews = useHasNews()
  useEffect(() => {
    if (hasNews && isLinked) mark({ id, is_read: true })
  }, [hasNews, isLinked, id, mark])
  useEffect(() => {
    const isNews = wasWaiting.current && said !== null && !document.hidden
    wasWaiting.current = said === null
    // a browser refuses it, and complains, on a page that nobody has touched
    if (isNews && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(VIBRATION_MS)
    if (said === null || !isLinked) return undefined
    const { title } = document
    document.title = said
    return () => {
      document.title = title
    }
  }, [said, isLinked])
}

const DELIVERY: Record<SentMessage['email_status'], () => string> = {
  queued: m.message_notice_queued,
  sent: m.message_notice_sent,
  failed: m.refusal_email_failed,
}

/** Says in one line what has happened to a message so far: 'Sent 2:02 PM · Answered 2:05 PM'. */
function Course({
  message: { plate, inserted_at, reply, replied_at, email_status },
  now,
}: Pick<Props, 'message'> & { now: number }) {
  const steps: (string | null)[] = [m.message_sent_at({ time: formatTimeNear(inserted_at, now) })]
  if (reply === null)
    steps.push(plate === null ? m.message_no_reply() : DELIVERY[email_status]()) // nobody was sent anything about a note
  else if (replied_at) steps.push(m.message_answered_at({ time: formatTimeNear(replied_at, inserted_at) }))
  return <p className="text-sm text-ink-soft">{steps.join(' · ')}</p>
}
