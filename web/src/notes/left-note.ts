/** What the sender of a note gets, this once. */
export type LeftNote = { code: string; expires_at: string }
