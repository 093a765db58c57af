import { isPlate, plateKey } from '#contract/plates.ts'
import type { Province } from '#contract/provinces.ts'

/**
 * What passenger plates look like, a letter written as a letter and a digit as a digit: the series given out now first,
 * then older ones still seen on the road. Prince Edward Island has had too many to name a usual one. These are for hints
 * alone: personalized, truck and veteran plates are plates as well.
 */
const SHAPES: Record<Province, readonly string[]> = {
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
const isGap = (character: string) => !/[A-Z0-9]/.test(character)

/** The example a plate of this province is compared with in words; undefined where there is no usual one. */
export const usualPlate = (province: Province): string | undefined => SHAPES[province][0]

/** Why a plate may have been mistyped. */
export type PlateDoubt =
  /** With letters and digits that look alike exchanged it would be a usual one: `plate`, as the plate is written. */
  | { kind: 'lookalike'; plate: string }
  /** It looks like no plate of the province; `example` does. */
  | { kind: 'unusual'; example: string }

/**
 * Compares a display plate with what is usual in its province. Null: nothing to say. A doubt is a hint and never a
 * refusal: any 1 to 8 characters can be a plate.
 */
export function plateDoubt(plate: string, province: Province): PlateDoubt | null {
  const characters = plateKey(plate)
  const [example, ...older] = SHAPES[province]
  if (!example || !isPlate(plate)) return null
  const written = [example, ...older].map((shape) => writtenAs(shape, characters))
  if (written.some((text) => text?.replace(/[ -]/g, '') === characters)) return null
  const meant = written.find((text) => text !== null)
  return meant ? { kind: 'lookalike', plate: meant } : { kind: 'unusual', example }
}

/** The characters in the places of a shape, lookalikes exchanged where it needs them; null when they do not fit. */
function writtenAs(shape: string, characters: string): string | null {
  const left = [...characters]
  let written = ''
  for (const place of shape) {
    if (isGap(place)) {
      written += place
      continue
    }
    const typed = left.shift()
    const fits = [typed, LOOKALIKES[typed ?? '']].find(
      (character) => character !== undefined && isDigit(character) === isDigit(place),
    )
    if (fits === undefined) return null
    written += fits
  }
  return left.length === 0 ? written : null
}
