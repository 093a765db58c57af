import { Reply } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { MESSAGE_MAX } from '#contract/messages.ts'
import { ApiError, errorMessage } from '~/lib/api'
import { keepDraft, readTextDraft } from '~/lib/drafts'
import { toast } from '~/lib/toast'
import { useForm } from '~/lib/use-form'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { TextArea } from '~/ui/TextArea'
import { QuickAnswers, withAnswer } from './QuickAnswers.tsx'
import { useReply } from './queries.ts'
import { fits } from './text-rules.ts'

const check = ({ reply }: { reply: string }) => ({ reply: reply.trim() === '' ? m.reply_missing() : fits(reply) })

/** The one reply to a received message. What is typed stays until it is sent, whatever happens. */
export function ReplyForm({ id, plate, beside }: { id: string; plate: string; beside: ReactNode }) {
  const sendReply = useReply()
  const draft = `reply:${id}`
  const [filled, setFilled] = useState('')
  const form = useForm({
    start: { reply: readTextDraft(draft) ?? '' },
    check,
    async send({ reply }) {
      try {
        await sendReply.mutateAsync({ id, reply })
        keepDraft(draft, undefined)
        toast.success(m.reply_sent())
        document.getElementById(id)?.focus({ preventScroll: true }) // the form goes away, and the focus with it
        return undefined
      } catch (error) {
        // a message goes with its vehicle only, and takes this form with it
        const gone = error instanceof ApiError && error.code === 'not_found'
        toast.error(gone ? m.reply_vehicle_gone() : m.reply_failed())
        return { reply: errorMessage(error) }
      }
    },
  })

  const fill = (answer: string, button: HTMLButtonElement) => {
    const reply = withAnswer(form.values.reply, answer)
    form.write('reply', reply)
    keepDraft(draft, reply)
    setFilled(reply)
    // on a phone the keyboard would come up over the button that sends it (and Safari leaves a pressed button unfocused)
    if (matchMedia('(pointer: coarse)').matches) button.focus({ preventScroll: true })
    else form.focus('reply')
  }

  return (
    <form
      noValidate
      className="grid gap-3 border-t border-line pt-4"
      {...form.props}
      onChange={() => keepDraft(draft, form.read().reply)}
    >
      <QuickAnswers onChoose={fill} />
      <TextArea
        label={m.reply_label()}
        hint={m.reply_hint()}
        rows={3}
        maxCharacters={MESSAGE_MAX}
        {...form.field('reply')}
      />
      <p role="status" className="sr-only">
        {filled && m.reply_filled({ text: filled })}
      </p>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <Button type="submit" pending={form.pending} pendingText={m.reply_sending()}>
          <Reply aria-hidden="true" className="size-5" />
          {m.reply_submit()}
          <span className="sr-only">{m.reply_about({ plate })}</span>
        </Button>
        {beside}
      </div>
    </form>
  )
}
