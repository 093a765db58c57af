import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { displayPlate, PLATE_MAX } from '#contract/plates.ts'
import { m } from '~/paraglide/messages'
import { PageHeader } from '~/ui/PageHeader'
import { HowItWorks } from './HowItWorks.tsx'
import { clearIdempotencyKey } from './idempotency-key.ts'
import { MessageSentPanel } from './MessageSentPanel.tsx'
import { SendForm } from './SendForm.tsx'
import { clearSendDraft } from './send-draft.ts'

type SentMessageRef = { id: string; plate: string }

/** /send: a message to the owner of a plate (requirements §2). `?plate=` fills the plate in. */
export function SendPage() {
  const [search, setSearch] = useSearchParams()
  const [sent, setSent] = useState<SentMessageRef | null>(null)
  const plateFromUrl = displayPlate(search.get('plate') ?? '').slice(0, PLATE_MAX)

  const onSent = (message: SentMessageRef) => {
    clearSendDraft()
    clearIdempotencyKey()
    setSent(message)
    // another message goes to another plate, also after a reload
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
