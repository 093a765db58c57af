import { useMutation, useQueryClient } from '@tanstack/react-query'
import { CircleCheck, Send } from 'lucide-react'
import { useState } from 'react'
import {
  ANSWER_MAX,
  answerContact,
  type ContactItem,
  closeContact,
  type OpenedContact,
  openContact,
} from '#contract/contact-desk.ts'
import { hasVisibleCharacter } from '#contract/visible-text.ts'
import { readDraftText, saveDraft } from '~/lib/form/drafts'
import { useForm } from '~/lib/form/use-form'
import { ApiError, call, errorMessage } from '~/lib/http/api'
import { toast } from '~/lib/toast/toast'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { DateTime } from '~/ui/signed-in/RelativeTime'
import { TextArea } from '~/ui/TextArea'
import { PurposeForm } from './PurposeForm.tsx'
import { CONTACT_KEY } from './queries.ts'

/** Shows one submission once an admin has given a purpose, with the replies to it and a form for another one. */
export function OpenedSubmission({ item }: { item: ContactItem }) {
  const [opened, setOpened] = useState<OpenedContact>()
  if (!opened) {
    return (
      <PurposeForm
        choices={[m.contact_purpose_answer(), m.contact_purpose_again(), m.contact_purpose_request()]}
        onOpen={async (purpose) => setOpened(await call(openContact, { id: item.id, purpose }, { withTimeout: true }))}
      />
    )
  }
  return (
    <div className="grid gap-5">
      <dl className="grid gap-x-8 gap-y-3 sm:grid-cols-2">
        <div>
          <dt className="text-sm text-ink-soft">{m.contact_desk_name()}</dt>
          <dd className="font-bold wrap-anywhere">{opened.name}</dd>
        </div>
        <div>
          <dt className="text-sm text-ink-soft">{m.contact_desk_email()}</dt>
          <dd className="font-bold wrap-anywhere">{opened.email}</dd>
        </div>
      </dl>
      <blockquote
        dir="auto"
        className="max-w-prose rounded-lg border-l-4 border-line-strong bg-sunken px-4 py-3 whitespace-pre-line wrap-anywhere"
      >
        {opened.message}
      </blockquote>
      <p className="max-w-prose text-sm text-ink-soft">{m.contact_desk_caution()}</p>
      {opened.answers.map((answer) => (
        <figure key={answer.id} className="grid gap-1.5">
          <figcaption className="flex flex-wrap gap-x-3 text-sm text-ink-soft">
            <span className="font-bold">{m.contact_desk_our_answer()}</span>
            <DateTime iso={answer.created_at} />
          </figcaption>
          <blockquote className="max-w-prose rounded-lg border-l-4 border-pine bg-sunken px-4 py-3 whitespace-pre-line wrap-anywhere">
            {answer.text}
          </blockquote>
        </figure>
      ))}
      {opened.state === 'open' && (
        <AnswerForm
          id={item.id}
          onAnswered={(text) =>
            setOpened({
              ...opened,
              answers: [
                ...opened.answers,
                { id: crypto.randomUUID(), text, created_at: new Date().toISOString(), delivery: 'queued' },
              ],
            })
          }
        />
      )}
    </div>
  )
}

function AnswerForm({ id, onAnswered }: { id: string; onAnswered: (text: string) => void }) {
  const queries = useQueryClient()
  const draftName = `answer:${id}`
  const reload = () => void queries.invalidateQueries({ queryKey: CONTACT_KEY })
  const close = useMutation({
    networkMode: 'always',
    mutationFn: () => call(closeContact, { id }, { withTimeout: true }),
    onSuccess: () => toast.success(m.contact_desk_closed()),
    onError: (error) => toast.error(error),
    onSettled: reload,
  })
  const { register, pending, formProps, getValues, setValue } = useForm({
    defaultValues: { text: readDraftText(draftName) ?? '' },
    validate: ({ text }) => ({
      text: hasVisibleCharacter(text)
        ? [...text.trim()].length <= ANSWER_MAX || m.desk_too_long({ max: ANSWER_MAX })
        : m.contact_desk_answer_missing(),
    }),
    async onSubmit({ text }) {
      try {
        await call(answerContact, { id, text: text.trim() }, { withTimeout: true })
        saveDraft(draftName, undefined)
        setValue('text', '')
        onAnswered(text.trim())
        toast.success(m.contact_desk_sent())
        reload()
        return undefined
      } catch (error) {
        return { text: (error instanceof ApiError ? error.fields['text'] : undefined) ?? errorMessage(error) }
      }
    },
  })
  return (
    <form noValidate className="grid gap-4" {...formProps} onChange={() => saveDraft(draftName, getValues().text)}>
      <TextArea
        label={m.contact_desk_answer()}
        hint={m.contact_desk_answer_hint()}
        maxCharacters={ANSWER_MAX}
        {...register('text')}
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="primary" pending={pending} pendingText={m.contact_desk_sending()}>
          <Send aria-hidden="true" className="size-5" />
          {m.contact_desk_send()}
        </Button>
        <Button pending={close.isPending} onClick={() => close.mutate()}>
          <CircleCheck aria-hidden="true" className="size-5" />
          {m.contact_desk_close()}
        </Button>
      </div>
    </form>
  )
}
