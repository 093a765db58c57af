import { Footprints, Reply } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { type Answer, MESSAGE_MAX } from '#contract/messages.ts'
import { hasVisibleCharacter } from '#contract/visible-text.ts'
import { readDraftText, saveDraft } from '~/lib/form/drafts'
import { useForm } from '~/lib/form/use-form'
import { ApiError, errorMessage } from '~/lib/http/api'
import { toast } from '~/lib/toast/toast'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { TextArea } from '~/ui/TextArea'
import { AnswerButtons } from './AnswerButtons.tsx'
import { useSendReply } from './queries.ts'
import { validateMessageLength } from './validators.ts'

const validate = ({ reply }: { reply: string }) => ({
  reply: hasVisibleCharacter(reply) ? validateMessageLength(reply) : m.reply_missing(),
})

type Props = {
  id: string
  plate: string
  /** Offers the answer that was tapped in a notification and could not be sent from there. It is never sent by itself. */
  offersComing: boolean
  secondaryAction: ReactNode
}

/** Asks for the one reply to a received message: by one tap, or in own words. What is typed is stored until it has been sent. */
export function ReplyForm({ id, plate, offersComing, secondaryAction }: Props) {
  const sendReply = useSendReply()
  const draftName = `reply:${id}`
  const [announced, setAnnounced] = useState('')
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
      saveDraft(draftName, undefined)
      toast.success(m.reply_sent())
      document.getElementById(id)?.focus({ preventScroll: true }) // the form is removed, and the focus with it
      return undefined
    } catch (error) {
      // a message is deleted only with its vehicle, and this form goes with it
      const gone = error instanceof ApiError && error.code === 'not_found'
      toast.error(gone ? m.reply_vehicle_gone() : m.reply_failed())
      return { reply: errorMessage(error) }
    }
  }

  /** Sends an answer, with what has been written so far. */
  const sendAnswer = (answer: Answer) => {
    if (validateMessageLength(form.values.reply) === true) void send(form.values.reply, answer)
    else setFocus('reply')
  }

  const fill = (quickReply: string, button: HTMLButtonElement) => {
    const reply = withQuickReply(form.values.reply, quickReply)
    form.setValue('reply', reply)
    saveDraft(draftName, reply)
    setAnnounced(reply)
    // on a phone the keyboard would cover the submit button (and Safari does not focus a pressed button by itself)
    if (matchMedia('(pointer: coarse)').matches) button.focus({ preventScroll: true })
    else setFocus('reply')
  }

  return (
    <div className="grid gap-4 border-t border-line pt-4">
      {offersComing && (
        <div className="grid gap-3 rounded-xl bg-pine-soft p-4">
          <p className="font-bold">{m.answer_offered()}</p>
          <Button
            variant="primary"
            className="justify-self-start"
            pending={sendReply.isPending}
            pendingText={m.reply_sending()}
            onClick={() => sendAnswer('coming')}
          >
            <Footprints aria-hidden="true" className="size-5" />
            {m.answer_coming()}
          </Button>
        </div>
      )}
      <AnswerButtons
        offered={offersComing ? 'coming' : null}
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
        <p className="font-bold">{m.answer_or_write()}</p>
        <QuickReplies onChoose={fill} />
        <TextArea
          label={m.reply_label()}
          hint={m.reply_hint()}
          rows={3}
          maxCharacters={MESSAGE_MAX}
          {...form.register('reply')}
        />
        <p role="status" className="sr-only">
          {announced && m.reply_filled({ text: announced })}
        </p>
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
          <Button type="submit" pending={form.pending} pendingText={m.reply_sending()}>
            <Reply aria-hidden="true" className="size-5" />
            {m.reply_submit()}
            <span className="sr-only">{m.reply_about({ plate })}</span>
          </Button>
          {secondaryAction}
        </div>
      </form>
    </div>
  )
}

type QuickReply = { label: () => string; text: () => string }

const QUICK_REPLIES: readonly QuickReply[] = [
  { label: m.reply_coming, text: m.reply_coming_text },
  { label: m.reply_5_minutes, text: m.reply_5_minutes_text },
  { label: m.reply_15_minutes, text: m.reply_15_minutes_text },
  { label: m.reply_not_mine, text: m.reply_not_mine_text },
  { label: m.reply_thanks, text: m.reply_thanks_text },
]

/** Adds a quick reply to what is written: replaces another quick reply, and follows anything else. */
function withQuickReply(written: string, quickReply: string): string {
  const trimmed = written.trim()
  return trimmed === '' || QUICK_REPLIES.some(({ text }) => text() === trimmed)
    ? quickReply
    : `${trimmed} ${quickReply}`
}

/** Offers the most common replies, one tap each. */
function QuickReplies({ onChoose }: { onChoose: (text: string, button: HTMLButtonElement) => void }) {
  return (
    <fieldset className="flex flex-wrap gap-1.5 sm:gap-2">
      <legend className="sr-only">{m.reply_quick()}</legend>
      {QUICK_REPLIES.map(({ label, text }) => (
        <button
          key={label()}
          type="button"
          className="min-h-11 rounded-full border border-line-strong bg-surface px-2.75 text-sm sm:px-4 font-semibold hover:bg-sunken active:bg-sunken"
          onClick={(event) => onChoose(text(), event.currentTarget)}
        >
          {label()}
        </button>
      ))}
    </fieldset>
  )
}
