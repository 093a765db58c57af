import { Reply } from 'lucide-react'
import type { ReactNode } from 'react'
import { type Answer, MESSAGE_MAX, type ReceivedMessage } from '#contract/messages.ts'
import { hasVisibleCharacter } from '#contract/visible-text.ts'
import { readDraftText, saveDraft } from '~/lib/form/drafts'
import { useForm } from '~/lib/form/use-form'
import { errorMessage } from '~/lib/http/api'
import { verbatim } from '~/lib/i18n/verbatim'
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
    async onSubmit({ reply }) {
      await sendReply.mutateAsync({ id, reply })
    },
    fieldError: (error) => ({ reply: errorMessage(error) }),
  })

  /** Sends an answer, with what has been written so far. */
  const sendAnswer = (answer: Answer) => {
    const { reply } = form.values
    if (validateMessageLength(reply) === true) sendReply.mutate({ id, reply, answer })
    else form.setFocus('reply')
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
