import { useQueryClient } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { paths } from '#contract/paths.ts'
import { displayPlate, PLATE_TYPED_MAX } from '#contract/plates.ts'
import { privatePageMeta } from '~/lib/page/page-meta'
import type { LeftNote } from '~/notes/left-note'
import { m } from '~/paraglide/messages'
import { Button, ButtonLink } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { PageHeader } from '~/ui/PageHeader'
import { Plate } from '~/ui/Plate'
import { Skeleton } from '~/ui/Skeleton'
import { LoadedPart } from '~/ui/signed-in/LoadedPart'
import { clearIdempotencyKey } from './idempotency-key.ts'
import { SendForm } from './SendForm.tsx'
import { clearSendDraft } from './send-draft.ts'

export const meta = () => privatePageMeta(m.page_send())

const loadNotePanel = () => import('~/notes/NoteLeftPanel')

type SentMessageRef = { id: string; plate: string }

/** Renders /send: a message to the owner of a plate (requirements §2). `?plate=` fills in the plate. */
export default function SendPage() {
  const [search, setSearch] = useSearchParams()
  const [sent, setSent] = useState<SentMessageRef | null>(null)
  const [note, setNote] = useState<LeftNote | null>(null)
  const queries = useQueryClient()
  const plateFromUrl = displayPlate(search.get('plate') ?? '').slice(0, PLATE_TYPED_MAX)

  const onDone = () => {
    clearSendDraft()
    clearIdempotencyKey()
    // the next message goes to another plate, even after a reload
    setSearch({}, { replace: true, preventScrollReset: true })
  }
  const onSent = (message: SentMessageRef) => {
    setSent(message)
    onDone()
  }
  const onNoteLeft = (left: LeftNote) => {
    setNote(left)
    onDone()
    void queries.invalidateQueries({ queryKey: ['messages', 'sent'] })
  }
  if (note !== null) {
    return (
      <div className="max-w-xl">
        <LoadedPart name="note panel" load={loadNotePanel} skeleton={<Skeleton className="h-96 w-full" />}>
          {({ NoteLeftPanel }) => <NoteLeftPanel note={note} onAnother={() => setNote(null)} />}
        </LoadedPart>
      </div>
    )
  }
  return (
    <>
      <PageHeader title={m.page_send()}>
        <p>{m.send_intro()}</p>
      </PageHeader>
      <div className="grid items-start gap-10 xl:grid-cols-[minmax(0,34rem)_minmax(0,1fr)]">
        {sent === null ? (
          <SendForm key={plateFromUrl} plateFromUrl={plateFromUrl} onSent={onSent} onNoteLeft={onNoteLeft} />
        ) : (
          <MessageSentPanel id={sent.id} plate={sent.plate} onAnother={() => setSent(null)} />
        )}
        <HowItWorks />
      </div>
    </>
  )
}

/** Explains sending in four steps (requirements §2). */
function HowItWorks() {
  const steps = [m.send_step_1(), m.send_step_2(), m.send_step_3(), m.send_step_4()]
  return (
    <section aria-labelledby="how-it-works" className="rounded-2xl bg-sunken p-5 sm:p-6">
      <h2 id="how-it-works" className="pb-4 text-xl font-extrabold">
        {m.send_how_it_works()}
      </h2>
      <ol className="grid gap-4">
        {steps.map((step, i) => (
          <li key={step} className="flex gap-3">
            <span
              aria-hidden="true"
              className="grid size-7 shrink-0 place-items-center rounded-full bg-pine-soft text-sm font-bold text-pine tabular-nums"
            >
              {i + 1}
            </span>
            <span className="pt-0.5">{step}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}

type MessageSentPanelProps = { id: string; plate: string; onAnother: () => void }

/** Says that the message was sent, to which plate, and what happens next. */
function MessageSentPanel({ id, plate, onAnother }: MessageSentPanelProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    heading.current?.focus({ preventScroll: true }) // the form is gone, and the focus with it
    scrollTo({ top: 0 })
  }, [])
  return (
    <Card className="grid justify-items-start gap-5">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <CircleCheck aria-hidden="true" className="size-8 text-good" />
        <h2 ref={heading} tabIndex={-1} className="text-2xl font-extrabold">
          {m.send_done_title()}
        </h2>
      </div>
      <Plate plate={plate} />
      <div className="grid max-w-prose gap-2">
        <p>{m.send_done_next()}</p>
        <p className="text-ink-soft">{m.send_done_reply()}</p>
      </div>
      <div className="flex w-full flex-col gap-3 pt-1 sm:flex-row">
        <ButtonLink to={paths.messages('sent', id)} variant="primary">
          {m.send_done_see_sent()}
        </ButtonLink>
        <Button onClick={onAnother}>{m.send_done_another()}</Button>
      </div>
    </Card>
  )
}
