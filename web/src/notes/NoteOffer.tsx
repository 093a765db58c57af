import { StickyNote } from 'lucide-react'
import type { NewMessage } from '#contract/messages.ts'
import { leaveNote } from '#contract/notes.ts'
import { call } from '~/lib/http/api'
import { useAttempt } from '~/lib/http/use-attempt'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { AnnouncedFailure } from '~/ui/FailureAlert'
import type { LeftNote } from './NoteLeftPanel.tsx'

type Props = {
  /** The message that was refused because its plate is not registered. */
  message: Omit<NewMessage, 'attachment_id'>
  hasImage: boolean
  onLeft: (note: LeftNote) => void
}

/** Offers to leave a message as a note on the windshield, when its plate is not registered (decision windshield-note). */
export function NoteOffer({ message, hasImage, onLeft }: Props) {
  const { pending, failure, attempt } = useAttempt()
  const leave = async () => onLeft(await call(leaveNote, message, { withTimeout: true }))
  return (
    <div className="grid justify-items-start gap-3 rounded-xl bg-pine-soft p-4">
      <p className="flex items-start gap-2.5 font-bold">
        <StickyNote aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-pine" />
        {m.note_offer()}
      </p>
      <p className="text-sm text-ink-soft">
        {m.note_offer_how()} {hasImage && m.note_offer_photo()}
      </p>
      <AnnouncedFailure error={failure} />
      <Button pending={pending !== null} pendingText={m.note_leaving()} onClick={() => void attempt(leave)}>
        {m.note_leave()}
      </Button>
    </div>
  )
}
