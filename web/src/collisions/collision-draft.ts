import { readDraftFields, saveDraft } from '~/lib/form/drafts'

const DRAFT_NAME = 'collision'

/** Returns what was filled in about a collision; each field may be missing or of the wrong type. */
export const readCollisionDraft = (): Record<string, unknown> => readDraftFields(DRAFT_NAME)

/** Stores some fields, next to those stored already. They are cleared with the message (`clearSendDraft`). */
export const saveCollisionDraft = (part: Record<string, string>) =>
  saveDraft(DRAFT_NAME, { ...readCollisionDraft(), ...part })
