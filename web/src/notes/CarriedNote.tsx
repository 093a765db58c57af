import { useState } from 'react'
import type { NoteKey } from '#contract/notes.ts'
import { carriedPlate } from '~/lib/registration/carried-plate'
import { LoadedPart } from '~/ui/signed-in/LoadedPart'

// loaded on demand: few people come with a note
const loadAddNote = () => import('./AddNote.tsx')

/** Offers the note that was read before signing up and waits for its plate to be registered, if there is one. */
export function CarriedNote() {
  const [noteKey, setNoteKey] = useState<NoteKey | null>(() => {
    const { code, plate } = carriedPlate() ?? {}
    return code === undefined || plate === undefined ? null : { code, plate }
  })
  if (noteKey === null) return null
  return (
    <LoadedPart name="carried note" load={loadAddNote} skeleton={null}>
      {({ AddNote }) => <AddNote noteKey={noteKey} onGone={() => setNoteKey(null)} />}
    </LoadedPart>
  )
}
