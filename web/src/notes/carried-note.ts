import { carriedPlate, carryPlate } from '~/lib/registration/carried-plate'

/** What opens a note. */
export type NoteKey = { code: string; plate: string }

/** Returns the note that was read in this browser and waits for its plate to be registered; null: there is none. */
export function readCarriedNote(): NoteKey | null {
  const { code, plate } = carriedPlate() ?? {}
  return code === undefined || plate === undefined ? null : { code, plate }
}

/** Carries a note through sign-up and registration, with the plate filled in there. Null ends it. */
export const carryNote = (key: NoteKey | null) => carryPlate(key)
