import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { displayPlate, PLATE_MAX } from '#contract/plates.ts'
import { keepDraft } from '~/lib/drafts'
import { m } from '~/paraglide/messages'
import { PageHeader } from '~/ui/PageHeader'
import { HowItWorks } from './HowItWorks.tsx'
import { SEND_DRAFT, SendForm } from './SendForm.tsx'
import { SentPanel } from './SentPanel.tsx'
import { forgetSendKey } from './send-key.ts'

/** /send: a message to the owner of a plate (spec §2). `?plate=` fills the plate in. */
export function SendPage() {
  const [search, setSearch] = useSearchParams()
  const [sentTo, setSentTo] = useState<string | null>(null)
  const wanted = displayPlate(search.get('plate') ?? '').slice(0, PLATE_MAX)

  const sent = (plate: string) => {
    keepDraft(SEND_DRAFT, undefined)
    forgetSendKey()
    setSentTo(plate)
  }
  const another = () => {
    setSearch({}, { replace: true, preventScrollReset: true })
    setSentTo(null)
  }
  return (
    <>
      <PageHeader title={m.page_send()}>
        <p>{m.send_intro()}</p>
      </PageHeader>
      <div className="grid items-start gap-10 xl:grid-cols-[minmax(0,34rem)_minmax(0,1fr)]">
        {sentTo === null ? (
          <SendForm key={wanted} plate={wanted} onSent={sent} />
        ) : (
          <SentPanel plate={sentTo} onAnother={another} />
        )}
        <HowItWorks />
      </div>
    </>
  )
}
