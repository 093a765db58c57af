import { useQueryClient } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { paths } from '#contract/paths.ts'
import { displayPlate, PLATE_TYPED_MAX } from '#contract/plates.ts'
import { SEND_INTENT_KEY } from '~/lib/form/drafts'
import { privatePageMeta } from '~/lib/page/page-meta'
import { browserStore } from '~/lib/page/storage'
import type { LeftNote } from '~/notes/NoteLeftPanel'
import { m } from '~/paraglide/messages'
import { ButtonLink } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { PageHeader } from '~/ui/PageHeader'
import { Plate } from '~/ui/Plate'
import { Skeleton } from '~/ui/Skeleton'
import { focusIfLost } from '~/ui/signed-in/focus-if-lost'
import { LoadedPart } from '~/ui/signed-in/LoadedPart'
import { SendForm } from './SendForm.tsx'
import { clearSendDraft } from './send-draft.ts'

export const meta = () => privatePageMeta(m.page_send())

const loadNotePanel = () => import('~/notes/NoteLeftPanel')

type SentMessageRef = { id: string; plate: string }
type Done = { message: SentMessageRef } | { note: LeftNote }

/** The state of the history entry once something was sent or left. */
const DONE = 'done'

/** Renders /send: a message to the owner of a plate (requirements §2). `?plate=` fills in the plate. */
export default function SendPage() {
  const [search, setSearch] = useSearchParams()
  const [done, setDone] = useState<Done | null>(null)
  // What was sent is not in the history, where whoever signs in next would find it. That something was is: a link to this
  // page leads to the form again.
  const isDone = useLocation().state === DONE
  const queries = useQueryClient()
  const plateFromUrl = displayPlate(search.get('plate') ?? '').slice(0, PLATE_TYPED_MAX)

  useEffect(() => browserStore.removeItem(SEND_INTENT_KEY), []) // here they are

  const finish = (what: Done) => {
    setDone(what)
    clearSendDraft()
    scrollTo({ top: 0 })
    // the next message goes to another plate, even after a reload
    setSearch({}, { replace: true, preventScrollReset: true, state: DONE })
    void queries.invalidateQueries({ queryKey: ['messages', 'sent'] })
    void queries.invalidateQueries({ queryKey: ['dashboard'] })
  }
  if (isDone && done) {
    return 'message' in done ? (
      <MessageSentPanel {...done.message} />
    ) : (
      <div className="max-w-xl">
        <LoadedPart name="note panel" load={loadNotePanel} skeleton={<Skeleton className="h-96 w-full" />}>
          {({ NoteLeftPanel }) => <NoteLeftPanel note={done.note} onAnother={() => setDone(null)} />}
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
        <SendForm
          key={plateFromUrl}
          plateFromUrl={plateFromUrl}
          onSent={(message) => finish({ message })}
          onNoteLeft={(note) => finish({ note })}
        />
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

/** Says that the message was sent, to which plate, and what happens next: nothing that anybody has to wait for. */
function MessageSentPanel({ id, plate }: SentMessageRef) {
  return (
    <Card className="grid max-w-xl justify-items-start gap-5">
      <h1 ref={focusIfLost} tabIndex={-1} className="flex items-center gap-3 text-3xl font-extrabold outline-none">
        <CircleCheck aria-hidden="true" className="size-8 shrink-0 text-good" />
        {m.send_done_title()}
      </h1>
      <Plate plate={plate} />
      <div className="grid max-w-prose gap-2">
        <p>{m.send_done_next()}</p>
        <p className="font-bold">{m.send_done_close()}</p>
      </div>
      <ButtonLink to={paths.messages('sent', id)}>{m.send_done_see_sent()}</ButtonLink>
    </Card>
  )
}
