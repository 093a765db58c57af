import type { LeftNote } from './NoteLeftPanel.tsx'

/** The state of the history entry that shows a note which was left. */
export const NOTE_LEFT = 'note-left'

let handedOver: LeftNote | null = null

/**
 * Hands a note that was left to /send, which shows its code: what stands in the history, whoever signs in next would find.
 * Null takes it back.
 */
export function handOverNote(note: LeftNote | null) {
  handedOver = note
}

/** Returns the note that was handed over. */
export const handedOverNote = (): LeftNote | null => handedOver
