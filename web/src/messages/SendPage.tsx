import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { displayPlate, PLATE_MAX } from '#contract/plates.ts'
import { m } from '~/paraglide/messages'
import { PageHeader } from '~/ui/PageHeader'
import { clearIdempotencyKey } from './idempotency-key.ts'
import { MessageSentPanel } from './MessageSentPanel.tsx'
import { SendForm } from './SendForm.tsx'
import { clearSendDraft } from './send-draft.ts'

type SentMessageRef = { id: string; plate: string }

/** Renders /send: a message to the owner of a plate (requirements §2). `?plate=` fills in the plate. */
export function SendPage() {
  const [search, setSearch] = useSearchParams()
  const [sent, setSent] = useState<SentMessageRef | null>(null)
  const plateFromUrl = displayPlate(search.get('plate') ?? '').slice(0, PLATE_MAX)

  const onSent = (message: SentMessageRef) => {
    clearSendDraft()
    clearIdempotencyKey()
    setSent(message)
    // the next message goes to another plate, even after a reload
    setSearch({}, { replace: true, preventScrollReset: true })
  }
  return (
    <>
      <PageHeader title={m.page_send()}>
        <p>{m.send_intro()}</p>
      </PageHeader>
      <div className="grid items-start gap-10 xl:grid-cols-[minmax(0,34rem)_minmax(0,1fr)]">
        {sent === null ? (
          <SendForm key={plateFromUrl} plateFromUrl={plateFromUrl} onSent={onSent} />
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
