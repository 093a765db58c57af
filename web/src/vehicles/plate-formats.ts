import { isPlate, plateKey } from '#contract/plates.ts'
import type { Province } from '#contract/provinces.ts'

/**
 * The formats of passenger plates, with any letter for a letter and any digit for a digit: the current series first,
 * then older ones still on the road. Prince Edward Island has had too many to name a usual one. These are only for
 * hints: personalized, truck and veteran plates are plates as well.
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

/** Characters mistaken for one another, on a plate and in handwriting. */
const LOOKALIKES: Record<string, string> = { O: '0', '0': 'O', I: '1', '1': 'I' }

const isDigit = (character: string) => /\d/.test(character)
const isSeparator = (character: string) => !/[A-Z0-9]/.test(character)

/** Why a plate may have been mistyped. */
type PlateFormatHint =
  /** It would fit a usual format with lookalikes exchanged: `plate`, with the separators of that format. */
  | { kind: 'lookalike'; plate: string }
  /** It fits no format of the province; `example` does. */
  | { kind: 'unusual'; example: string }

/**
 * Compares a display plate with the usual formats of its province; returns null when there is nothing to hint at. A
 * hint is no reason to reject a plate: any 1 to 8 characters can be one.
 */
export function checkPlateFormat(plate: string, province: Province): PlateFormatHint | null {
  const characters = plateKey(plate)
  const [example, ...older] = FORMATS[province]
  if (!example || !isPlate(plate)) return null
  const candidates = [example, ...older].map((format) => matchFormat(format, characters))
  if (candidates.some((text) => text?.replace(/[ -]/g, '') === characters)) return null
  const meant = candidates.find((text) => text !== null)
  return meant ? { kind: 'lookalike', plate: meant } : { kind: 'unusual', example }
}

/** Writes the characters in a format, with lookalikes exchanged where it needs that; null when they do not fit. */
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
