import { Reply } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { MESSAGE_MAX } from '#contract/messages.ts'
import { ApiError, errorMessage } from '~/lib/api'
import { keepDraft, readDraft } from '~/lib/drafts'
import { toast } from '~/lib/toast'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { TextArea } from '~/ui/TextArea'
import { QuickAnswers, withAnswer } from './QuickAnswers.tsx'
import { useReply } from './queries.ts'
import { fits } from './text-rules.ts'

/** The one reply to a received message. What is typed stays until it is sent, whatever happens. */
export function ReplyForm({ id, plate, beside }: { id: string; plate: string; beside: ReactNode }) {
  const send = useReply()
  const draft = `reply:${id}`
  const kept = readDraft(draft)
  const [filled, setFilled] = useState('')
  const form = useForm({ defaultValues: { reply: typeof kept === 'string' ? kept : '' } })
  const { register, setError, formState } = form
  const written = useWatch({ control: form.control, name: 'reply' })

  const submit = async ({ reply }: { reply: string }) => {
    try {
      await send.mutateAsync({ id, reply })
      keepDraft(draft, undefined)
      toast.success(m.reply_sent())
      document.getElementById(id)?.focus({ preventScroll: true }) // the form goes away, and the focus with it
    } catch (error) {
      // a message goes with its vehicle only, and takes this form with it
      const gone = error instanceof ApiError && error.code === 'not_found'
      toast.error(gone ? m.reply_vehicle_gone() : m.reply_failed())
      setError('reply', { message: errorMessage(error) }, { shouldFocus: true })
    }
  }

  const fill = (answer: string, button: HTMLButtonElement) => {
    const reply = withAnswer(form.getValues('reply'), answer)
    form.setValue('reply', reply, { shouldValidate: formState.isSubmitted })
    keepDraft(draft, reply)
    setFilled(reply)
    // on a phone the keyboard would come up over the button that sends it (and Safari leaves a pressed button unfocused)
    if (matchMedia('(pointer: coarse)').matches) button.focus({ preventScroll: true })
    else form.setFocus('reply')
  }

  return (
    <form
      noValidate
      className="grid gap-3 border-t border-line pt-4"
      onSubmit={(event) => void form.handleSubmit(submit)(event)}
    >
      <QuickAnswers onChoose={fill} />
      <TextArea
        label={m.reply_label()}
        hint={m.reply_hint()}
        rows={3}
        maxCharacters={MESSAGE_MAX}
        value={written}
        error={formState.errors.reply?.message}
        {...register('reply', {
          onChange: () => keepDraft(draft, form.getValues('reply')),
          validate: {
            missing: (typed) => typed.trim() !== '' || m.reply_missing(),
            length: fits,
          },
        })}
      />
      <p role="status" className="sr-only">
        {filled && m.reply_filled({ text: filled })}
      </p>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <Button type="submit" pending={formState.isSubmitting} pendingText={m.reply_sending()}>
          <Reply aria-hidden="true" className="size-5" />
          {m.reply_submit()}
          <span className="sr-only">{m.reply_about({ plate })}</span>
        </Button>
        {beside}
      </div>
    </form>
  )
}
