// chunk: plates (of those pages alone that ask for a plate)

import { displayPlate, PLATE_TYPED_MAX } from './plates.ts'

// as people see them: with accents, skin tones and what else is joined to them; a flag is two
const VISIBLE_CHARACTERS =
  /\p{RI}{2}|.(?:\p{M}|\p{Emoji_Modifier}|[\u{e0020}-\u{e007f}]|\u200d\p{Extended_Pictographic})*/gsu
/** No emoji is longer, in code units. */
const EMOJI_MAX = 16

/**
 * Returns the first character of what was typed that no plate has, as it was typed, or by its number where nobody would see
 * it; null when there is none, or it is too long to be a plate anyway.
 */
export function refusedCharacter(typed: string): string | null {
  if (typed.length > PLATE_TYPED_MAX) return null
  for (const [character] of typed.matchAll(VISIBLE_CHARACTERS)) {
    const refused = /[^A-Z0-9-]/u.exec(displayPlate(character))?.[0]
    if (refused === undefined) continue
    const isSeen = character.length <= EMOJI_MAX && !/^[\p{C}\p{M}\p{Z}]/u.test(character)
    if (isSeen) return character.normalize('NFC')
    return `U+${refused.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`
  }
  return null
}
