import { Inbox } from 'lucide-react'
import { useState } from 'react'
import { claimNote } from '#contract/notes.ts'
import { paths } from '#contract/paths.ts'
import { ApiError } from '~/lib/http/api'
import { href, Link } from '~/lib/i18n/i18n'
import { loadPage } from '~/lib/page/load-page'
import { callWithProof } from '~/lib/proof-of-work/call-with-proof'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { carryNote, type NoteKey } from './carried-note.ts'
import { NoteFailure } from './NoteFailure.tsx'

type Props = {
  noteKey: NoteKey
  /** Called when the note cannot be added any more. */
  onGone?: () => void
}

/** Adds a note to the messages of a signed-in user who has its plate; others are led to registering it. */
export function AddNote({ noteKey, onGone }: Props) {
  const [pending, setPending] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const codeOf = failure instanceof ApiError ? failure.code : null
  const add = async () => {
    setPending(true)
    setFailure(null)
    try {
      const { id } = await callWithProof(claimNote, noteKey, { withTimeout: true })
      carryNote(null)
      // by a full load: the cached lists are out of date
      loadPage(href(paths.messages('received', id)))
    } catch (error) {
      setFailure(error)
      setPending(false)
      if (onGone && error instanceof ApiError && error.code === 'note_not_found') {
        carryNote(null)
        onGone()
      }
    }
  }
  return (
    <section className="grid justify-items-start gap-3 rounded-2xl bg-pine-soft p-5 sm:p-6">
      <p className="flex items-start gap-3 text-lg font-bold">
        <Inbox aria-hidden="true" className="mt-0.5 size-6 shrink-0 text-pine" />
        {m.note_waits({ plate: noteKey.plate })}
      </p>
      <NoteFailure error={failure} />
      {codeOf === 'note_not_yours' ? (
        <Link to={paths.newVehicle()} onClick={() => carryNote(noteKey)} className="link py-2.5">
          {m.note_register({ plate: noteKey.plate })}
        </Link>
      ) : (
        <Button variant="primary" pending={pending} pendingText={m.note_adding()} onClick={() => void add()}>
          {m.note_add()}
        </Button>
      )}
    </section>
  )
}
