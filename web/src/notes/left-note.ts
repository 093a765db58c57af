/** What the sender of a note gets, only once. */
export type LeftNote = { code: string; expires_at: string }
