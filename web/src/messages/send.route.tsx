import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { displayPlate, PLATE_TYPED_MAX } from '#contract/plates.ts'
import { privatePageMeta } from '~/lib/page/page-meta'
import type { LeftNote } from '~/notes/left-note'
import { m } from '~/paraglide/messages'
import { PageHeader } from '~/ui/PageHeader'
import { Skeleton } from '~/ui/Skeleton'
import { LoadedPart } from '~/ui/signed-in/LoadedPart'
import { clearIdempotencyKey } from './idempotency-key.ts'
import { MessageSentPanel } from './MessageSentPanel.tsx'
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
