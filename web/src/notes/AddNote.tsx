import { Inbox } from 'lucide-react'
import { claimNote, type NoteKey } from '#contract/notes.ts'
import { paths } from '#contract/paths.ts'
import { codeOf } from '~/lib/http/api'
import { useAttempt } from '~/lib/http/use-attempt'
import { href, Link } from '~/lib/i18n/i18n'
import { verbatim } from '~/lib/i18n/verbatim'
import { loadPage } from '~/lib/page/load-page'
import { callWithProof } from '~/lib/proof-of-work/call-with-proof'
import { carryPlate } from '~/lib/registration/carried-plate'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { AnnouncedFailure } from '~/ui/FailureAlert'

type Props = {
  noteKey: NoteKey
  /** Called when the note cannot be added any more. */
  onGone?: () => void
}

/** Adds a note to the messages of a signed-in user who has its plate; others are led to registering it. */
export function AddNote({ noteKey, onGone }: Props) {
  const { pending, failure, attempt } = useAttempt()
  const add = async () => {
    try {
      const { id } = await callWithProof(claimNote, noteKey, { withTimeout: true })
      carryPlate(null)
      // by a full load: the cached lists are out of date
      loadPage(href(paths.messages('received', id)))
      await new Promise<never>(() => {}) // until the page is left
    } catch (error) {
      if (onGone && codeOf(error) === 'note_not_found') {
        carryPlate(null)
        onGone()
      }
      throw error
    }
  }
  const isNotTheirs = codeOf(failure) === 'note_not_yours'
  return (
    <section className="grid justify-items-start gap-3 rounded-2xl bg-pine-soft p-5 sm:p-6">
      <p className="flex items-start gap-3 text-lg font-bold">
        <Inbox aria-hidden="true" className="mt-0.5 size-6 shrink-0 text-pine" />
        {verbatim(m.note_waits({ plate: noteKey.plate }), noteKey.plate)}
      </p>
      <AnnouncedFailure failure={failure} />
      {isNotTheirs ? (
        <Link to={paths.newVehicle()} onClick={() => carryPlate(noteKey)} className="link py-2.5">
          {verbatim(m.note_register({ plate: noteKey.plate }), noteKey.plate)}
        </Link>
      ) : (
        <Button
          variant="primary"
          pending={pending !== null}
          pendingText={m.note_adding()}
          onClick={() => void attempt(add)}
        >
          {m.note_add()}
        </Button>
      )}
    </section>
  )
}
