import { Reply } from 'lucide-react'
import type { ReactNode } from 'react'
import { type Answer, MESSAGE_MAX, type ReceivedMessage } from '#contract/messages.ts'
import { hasVisibleCharacter } from '#contract/visible-text.ts'
import { readDraftText, saveDraft } from '~/lib/form/drafts'
import { useForm } from '~/lib/form/use-form'
import { ApiError, errorMessage } from '~/lib/http/api'
import { verbatim } from '~/lib/i18n/verbatim'
import { toast } from '~/lib/toast/toast'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { TextArea } from '~/ui/TextArea'
import { AnswerButtons } from './AnswerButtons.tsx'
import { replyDraft, useSendReply } from './queries.ts'
import { validateMessageLength } from './validators.ts'

const validate = ({ reply }: { reply: string }) => ({
  reply: hasVisibleCharacter(reply) ? validateMessageLength(reply) : m.field_reply_missing(),
})

type Props = {
  message: ReceivedMessage
  /** The answer that was tapped in a notification or an email. It is never sent by itself. */
  offered: Answer | null
  secondaryAction: ReactNode
}

/** Asks for the one reply to a received message: by one tap, or in own words. What is typed is stored until it has been sent. */
export function ReplyForm({ message, offered, secondaryAction }: Props) {
  const { id, plate } = message
  const sendReply = useSendReply()
  const draftName = replyDraft(id)
  const form = useForm({
    defaultValues: { reply: readDraftText(draftName) ?? '' },
    validate,
    onSubmit: ({ reply }) => send(reply),
  })

  const { setFocus } = form

  /** Sends the reply; returns what went wrong, for its field. */
  async function send(reply: string, answer?: Answer) {
    try {
      await sendReply.mutateAsync({ id, reply, ...(answer && { answer }) })
      toast.success(m.reply_sent())
      return undefined
    } catch (error) {
      // a message is deleted only with its vehicle, and this form goes with it, as with a reply that somebody else sent
      const { code, status } = error instanceof ApiError ? error : {}
      if (code === 'not_found') toast.error(m.reply_vehicle_gone())
      else toast.error(status === 409 ? error : m.reply_failed())
      return { reply: errorMessage(error) }
    }
  }

  /** Sends an answer, with what has been written so far. */
  const sendAnswer = (answer: Answer) => {
    if (validateMessageLength(form.values.reply) === true) void send(form.values.reply, answer)
    else setFocus('reply')
  }

  return (
    <div className="grid gap-4 border-t border-line pt-4">
      <AnswerButtons
        message={message}
        offered={offered}
        pending={sendReply.isPending ? (sendReply.variables.answer ?? null) : null}
        disabled={sendReply.isPending}
        onAnswer={sendAnswer}
      />
      <form
        noValidate
        className="grid gap-3"
        {...form.formProps}
        onChange={() => saveDraft(draftName, form.getValues().reply)}
      >
        <TextArea
          label={m.reply_label()}
          hint={m.reply_hint()}
          rows={3}
          maxCharacters={MESSAGE_MAX}
          {...form.register('reply')}
        />
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
          <Button icon={Reply} type="submit" pending={form.pending} pendingText={m.reply_sending()}>
            {m.reply_submit()}
            <span className="sr-only">{verbatim(m.reply_about({ plate }), plate)}</span>
          </Button>
          {secondaryAction}
        </div>
      </form>
    </div>
  )
}
