/** What the sender of a note gets, only once. */
export type LeftNote = { code: string; expires_at: string }

/** The state of the history entry of /send that shows the code of a note; a link to /send leads to the form. */
export const NOTE_LEFT = 'note-left'

/** The note that was left: not in the history, where whoever signs in next would find it. */
export const leftNote: { current: LeftNote | null } = { current: null }
