import { StickyNote } from 'lucide-react'
import { useNavigate } from 'react-router'
import type { NewMessage } from '#contract/messages.ts'
import { leaveNote } from '#contract/notes.ts'
import { paths } from '#contract/paths.ts'
import { call } from '~/lib/http/api'
import { useAttempt } from '~/lib/http/use-attempt'
import { href } from '~/lib/i18n/i18n'
import { refetchSent } from '~/lib/query/query-client'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { AnnouncedFailure } from '~/ui/FailureAlert'
import { leftNote, NOTE_LEFT } from './left-note.ts'

type Props = {
  message: Omit<NewMessage, 'attachment_id'>
  hasImage: boolean
  /** Called before /send shows the code of the note. */
  onLeft?: () => void
}

/** Offers to leave a message as a note on the windshield, when it does not reach the owner (decision windshield-note). */
export function NoteOffer({ message, hasImage, onLeft }: Props) {
  const navigate = useNavigate()
  const { pending, failure, attempt } = useAttempt()
  const leave = async () => {
    leftNote.current = await call(leaveNote, message, { withTimeout: true })
    onLeft?.()
    refetchSent()
    await navigate(href(paths.send()), { state: NOTE_LEFT })
  }
  return (
    <div className="grid justify-items-start gap-3 rounded-xl bg-pine-soft p-4">
      <p className="flex items-start gap-2.5 font-bold">
        <StickyNote aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-pine" />
        {m.note_offer()}
      </p>
      <p className="text-sm text-ink-soft">
        {m.note_offer_how()} {hasImage && m.note_offer_photo()}
      </p>
      <AnnouncedFailure failure={failure} />
      <Button pending={pending !== null} pendingText={m.note_leaving()} onClick={() => void attempt(leave)}>
        {m.note_leave()}
      </Button>
    </div>
  )
}
