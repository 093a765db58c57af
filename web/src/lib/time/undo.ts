import { SECOND_MS } from '#contract/time.ts'

/** For how long an action can be undone: enough to see that the wrong key was pressed. */
export const UNDO_MS = 8 * SECOND_MS
