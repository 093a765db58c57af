import { MailOpen } from 'lucide-react'
import { useLayoutEffect, useState } from 'react'
import { formatNoteCode, isNoteCode, NOTE_CODE_DIGITS, noteCodeDigits } from '#contract/note-code.ts'
import { type Note, type NoteKey, openNote } from '#contract/notes.ts'
import { paths } from '#contract/paths.ts'
import { displayPlate, isPlate } from '#contract/plates.ts'
import { type FieldErrors, useForm } from '~/lib/form/use-form'
import { href } from '~/lib/i18n/i18n'
import { useHydrated } from '~/lib/page/browser-state'
import { privatePageMeta } from '~/lib/page/page-meta'
import { plateError } from '~/lib/plates/plate-error'
import { callWithProof } from '~/lib/proof-of-work/call-with-proof'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { TextField } from '~/ui/Field'
import { PlateField } from '~/ui/PlateField'
import { NoteFailure } from './NoteFailure.tsx'
import { OpenedNote } from './OpenedNote.tsx'

export const meta = () => privatePageMeta(m.note_title())

type Opened = { key: NoteKey; note: Note }

/** Renders /n, where the finder of a note reads it, without an account (decision windshield-note). */
export default function NotePage() {
  const [opened, setOpened] = useState<Opened | null>(null)
  return (
    <div className="mx-auto w-full max-w-xl px-4 pt-8 pb-20 sm:px-6 sm:pt-14">
      {opened ? (
        <OpenedNote noteKey={opened.key} opened={opened.note} />
      ) : (
        <>
          <header className="grid gap-3 pb-6">
            <h1 className="text-4xl font-black tracking-[-0.025em] sm:text-5xl">{m.note_title()}</h1>
            <p className="text-lg text-ink-soft">{m.note_intro()}</p>
          </header>
          <Card>
            <NoteForm onOpened={setOpened} />
          </Card>
        </>
      )}
    </div>
  )
}

function validate({ code, plate: typed }: NoteKey): FieldErrors<NoteKey> {
  const plate = displayPlate(typed)
  const digits = noteCodeDigits(code)
  return {
    code: digits.length === NOTE_CODE_DIGITS ? isNoteCode(digits) || m.note_code_mistake() : m.note_code_missing(),
    plate: plate === '' ? m.note_plate_missing() : isPlate(plate) || plateError(typed),
  }
}

/** Asks for code and plate. Without scripts the browser posts them, and the server responds with a page. */
function NoteForm({ onOpened }: { onOpened: (opened: Opened) => void }) {
  const hydrated = useHydrated()
  const { register, getValues, setValue, setFocus, pending, failure, formProps } = useForm<NoteKey>({
    defaultValues: { code: '', plate: '' },
    uncontrolled: true,
    validate,
    onSubmit: open,
  })

  // the QR code has the code in the fragment; it goes from the address, and so from the history, at once
  useLayoutEffect(() => {
    const digits = noteCodeDigits(decodeURIComponent(location.hash))
    if (digits === '') return
    history.replaceState(history.state, '', location.pathname)
    if (getValues().code === '') setValue('code', formatNoteCode(digits))
    setFocus('plate')
  }, [getValues, setValue, setFocus])

  async function open({ code, plate }: NoteKey) {
    const key = { code: noteCodeDigits(code), plate: displayPlate(plate) }
    onOpened({ key, note: await callWithProof(openNote, key, { withTimeout: true }) })
  }

  return (
    <form method="post" action={href(paths.note())} noValidate={hydrated} className="grid gap-6" {...formProps}>
      <TextField
        label={m.note_code()}
        hint={m.note_code_hint()}
        inputMode="numeric"
        autoComplete="off"
        enterKeyHint="next"
        required
        maxLength={30}
        placeholder="1234 5678 9012"
        {...register('code')}
      />
      <PlateField label={m.note_plate()} required {...register('plate')} />
      <NoteFailure error={failure} />
      <Button type="submit" variant="primary" size="lg" pending={pending} pendingText={m.note_opening()}>
        <MailOpen aria-hidden="true" className="size-5" />
        {m.note_open()}
      </Button>
      <p className="text-sm text-ink-soft">{m.note_open_hint()}</p>
    </form>
  )
}
