import { asString, readDraftFields, saveDraft } from '~/lib/form/drafts'

/** What opens a note. */
export type NoteKey = { code: string; plate: string }

const DRAFT_NAME = 'note'

/** Returns the note that was read in this tab and waits for its plate to be registered; null: there is none. */
export function readCarriedNote(): NoteKey | null {
  const { code, plate } = readDraftFields(DRAFT_NAME)
  return asString(code) === '' || asString(plate) === '' ? null : { code: asString(code), plate: asString(plate) }
}

/**
 * Carries a note through sign-up and registration, with the plate filled in there: in the storage of this tab, never in an
 * address. Null ends it.
 */
export function carryNote(key: NoteKey | null) {
  saveDraft(DRAFT_NAME, key ?? undefined)
  if (key) saveDraft('new-vehicle', { ...readDraftFields('new-vehicle'), plate: key.plate })
}
