import { Check, Mail } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { type Answer, COMING_ANSWERS, type ReceivedMessage } from '#contract/messages.ts'
import { m } from '~/paraglide/messages'
import { UnreadMark } from '~/ui/Badge'
import { Button } from '~/ui/Button'
import { EmergencyCall } from '~/ui/EmergencyCall'
import { focusIfLost } from '~/ui/signed-in/focus-if-lost'
import { RelativeTime } from '~/ui/signed-in/RelativeTime'
import { UnsentDraft } from '~/ui/signed-in/UnsentText'
import type { LinkedItem } from '~/ui/signed-in/use-linked-item'
import { answerLabel } from './AnswerButtons.tsx'
import { MessageCard, Reply } from './MessageCard.tsx'
import { replyDraft, useHasNews, useMarkMessage } from './queries.ts'
import { ReplyForm } from './ReplyForm.tsx'
import { recordReadMark } from './read-marks.ts'

type Props = {
  message: ReceivedMessage
  linked: LinkedItem | null
  /** The answer that was tapped in a notification or an email of this message. */
  offered: Answer | null
}

/** Shows an open message to one of the user's vehicles, its read mark and its one reply. */
export function ReceivedCard({ message, linked, offered }: Props) {
  const mark = useMarkMessage()
  const hasNews = useHasNews()
  const { id, inserted_at, is_read, reply, answer } = message
  const isAnswerable = !message.reply_removed && reply === null
  const wasAnswerable = useRef(isAnswerable)
  useEffect(() => {
    // the form is removed, and the focus with it
    if (wasAnswerable.current && !isAnswerable) focusIfLost(document.getElementById(id))
    wasAnswerable.current = isAnswerable
  }, [isAnswerable, id])
  const Icon = is_read ? Mail : Check
  const toggleRead = () => {
    mark.mutate({ id, is_read: !is_read })
    recordReadMark(id, !is_read)
  }
  const toggle = (
    <Button variant="ghost" className="-mx-2 px-2! text-sm!" onClick={toggleRead}>
      <Icon aria-hidden="true" className="size-4" />
      {is_read ? m.message_mark_unread() : m.message_mark_read()}
    </Button>
  )
  return (
    <MessageCard
      message={message}
      linked={linked}
      lead={
        isAnswerable &&
        message.reason === 'someone_inside' && <EmergencyCall title={m.message_danger()} call={m.call_911()} />
      }
      onVisit={() => (!is_read || hasNews) && mark.mutate({ id, is_read: true, was_read: is_read })}
      status={
        <>
          <RelativeTime byClock iso={inserted_at} />
          {!is_read && <UnreadMark text={m.message_unread()} />}
        </>
      }
    >
      {isAnswerable ? (
        <ReplyForm message={message} offered={offered} secondaryAction={toggle} />
      ) : (
        <>
          {reply === null ? (
            <p className="text-ink-soft">{m.refusal_reply_removed()}</p>
          ) : (
            <Reply title={replyTitle(message)} answer={answerLabel(answer)} text={reply} at={message.replied_at} />
          )}
          <UnsentDraft name={replyDraft(id)} sent={reply ?? ''} />
          <div className="-mb-2 flex justify-end sm:-mb-3">{toggle}</div>
        </>
      )}
    </MessageCard>
  )
}

/** Says who replied: the reader, or somebody else of the vehicle, who may be on the way. */
function replyTitle({ replied_by, answer }: ReceivedMessage): string {
  if (replied_by === 'me') return m.message_your_reply()
  const isComing = answer !== null && COMING_ANSWERS.includes(answer)
  if (replied_by === 'driver') return isComing ? m.message_driver_coming() : m.message_driver_answered()
  return isComing ? m.message_owner_coming() : m.message_owner_answered()
}
