import { isPlate, plateKey } from '#contract/plates.ts'
import type { Province } from '#contract/provinces.ts'

/**
 * What passenger plates look like, a letter written as a letter and a digit as a digit: the series given out now first,
 * then older ones still seen on the road. Prince Edward Island has had too many to name a usual one. These are for hints
 * alone: personalized, truck and veteran plates are plates as well.
 */
const FORMATS: Record<Province, readonly string[]> = {
  Alberta: ['ABC-1234', 'ABC-123'],
  'British Columbia': ['AB1 23C', '123 ABC', 'ABC 123'],
  Manitoba: ['ABC 123'],
  'New Brunswick': ['ABC 123'],
  'Newfoundland and Labrador': ['ABC 123'],
  'Nova Scotia': ['ABC 123'],
  Ontario: ['ABCD 123', 'ABC 123', '123 ABC', 'AB 12345'],
  'Prince Edward Island': [],
  Quebec: ['A12 BCD', '123 ABC'],
  Saskatchewan: ['123 ABC'],
}

/** What is read for one another, on a plate and in one's own writing. */
const LOOKALIKES: Record<string, string> = { O: '0', '0': 'O', I: '1', '1': 'I' }

const isDigit = (character: string) => /\d/.test(character)
const isSeparator = (character: string) => !/[A-Z0-9]/.test(character)

/** The example a plate of this province is compared with in words; undefined where there is no usual one. */
export const examplePlate = (province: Province): string | undefined => FORMATS[province][0]

/** Why a plate may have been mistyped. */
export type PlateFormatHint =
  /** With letters and digits that look alike exchanged it would be a usual one: `plate`, as the plate is written. */
  | { kind: 'lookalike'; plate: string }
  /** It looks like no plate of the province; `example` does. */
  | { kind: 'unusual'; example: string }

/**
 * Compares a display plate with what is usual in its province. Null: nothing to say. A doubt is a hint and never a
 * refusal: any 1 to 8 characters can be a plate.
 */
export function checkPlateFormat(plate: string, province: Province): PlateFormatHint | null {
  const characters = plateKey(plate)
  const [example, ...older] = FORMATS[province]
  if (!example || !isPlate(plate)) return null
  const candidates = [example, ...older].map((shape) => matchFormat(shape, characters))
  if (candidates.some((text) => text?.replace(/[ -]/g, '') === characters)) return null
  const meant = candidates.find((text) => text !== null)
  return meant ? { kind: 'lookalike', plate: meant } : { kind: 'unusual', example }
}

/** The characters in the places of a shape, lookalikes exchanged where it needs them; null when they do not fit. */
function matchFormat(format: string, characters: string): string | null {
  const remaining = [...characters]
  let written = ''
  for (const position of format) {
    if (isSeparator(position)) {
      written += position
      continue
    }
    const typed = remaining.shift()
    const fits = [typed, LOOKALIKES[typed ?? '']].find(
      (character) => character !== undefined && isDigit(character) === isDigit(position),
    )
    if (fits === undefined) return null
    written += fits
  }
  return remaining.length === 0 ? written : null
}
