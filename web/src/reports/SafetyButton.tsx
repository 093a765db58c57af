import { ShieldAlert } from 'lucide-react'
import { useRef, useState } from 'react'
import type { ReceivedMessage, SentMessage } from '#contract/messages.ts'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { Skeleton } from '~/ui/Skeleton'
import { Dialog } from '~/ui/signed-in/Dialog'
import { LoadedPart } from '~/ui/signed-in/LoadedPart'

// loaded on demand: few people need it
const loadSheet = () => import('./SafetySheet.tsx')

/** Opens the sheet with which the other person of a message is blocked and what they wrote is reported. */
export function SafetyButton({ message }: { message: ReceivedMessage | SentMessage }) {
  const [open, setOpen] = useState(false)
  // a sheet that is opened again starts over; while one fades out it stays as it is
  const [round, setRound] = useState(0)
  const content = useRef<HTMLDivElement>(null)
  const show = () => {
    setRound(round + 1)
    setOpen(true)
  }
  return (
    <>
      <Button variant="ghost" className="-mx-2 px-2! text-sm! text-ink-soft" onClick={show}>
        <ShieldAlert aria-hidden="true" className="size-4" />
        {m.message_safety()}
        <span className="sr-only">
          {message.plate === null ? m.message_note() : m.message_safety_about({ plate: message.plate })}
        </span>
      </Button>
      <Dialog open={open} onOpenChange={setOpen} title={m.message_safety()} initialFocus={() => content.current}>
        <div ref={content} tabIndex={-1} className="outline-none">
          <LoadedPart name="safety sheet" load={loadSheet} skeleton={<Skeleton className="h-80 w-full" />}>
            {({ SafetySheet }) => <SafetySheet key={round} message={message} onClose={() => setOpen(false)} />}
          </LoadedPart>
        </div>
      </Dialog>
    </>
  )
}
