import { lazy, Suspense, useState } from 'react'
import { readCarriedNote } from './carried-note.ts'

// loaded on demand: few people come with a note
const AddNote = lazy(() => import('./AddNote.tsx').then(({ AddNote: part }) => ({ default: part })))

/** Offers the note that was read before signing up, if there is one. */
export function CarriedNote() {
  const [noteKey, setNoteKey] = useState(readCarriedNote)
  if (noteKey === null) return null
  return (
    <Suspense>
      <AddNote noteKey={noteKey} onGone={() => setNoteKey(null)} />
    </Suspense>
  )
}
