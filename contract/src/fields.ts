// chunk: fields

// Schemas of fields that several forms share. The lists and rules in plates.ts and provinces.ts are apart because browsers
// also need them on pages that validate nothing.
import * as z from 'zod/mini'
import { isEmail, isUnwritable, normalizeEmail } from './addresses.ts'
import { refusedCharacter } from './plate-errors.ts'
import { displayPlate, isPlate, PLATE_TYPED_MAX } from './plates.ts'
import { PROVINCES } from './provinces.ts'
import { hasVisibleCharacter } from './visible-text.ts'

/** Returns a check for a maximum number of characters. They are counted only when it can matter: each has one or two code units. */
const hasAtMostCharacters =
  (max: number) =>
  (s: string): boolean =>
    s.length <= max || (s.length <= 2 * max && [...s].length <= max)

/** Returns whether a text can be stored and mailed: nobody types a NUL or half a surrogate pair. */
export const isSendable = (s: string): boolean => !s.includes('\0') && s.isWellFormed()

/** Returns the checks of a text that people write, of so many characters at most. */
export const checkText = (max: number) =>
  [
    z.refine<string>(hasAtMostCharacters(max), { error: 'max_characters', params: { maximum: max } }),
    z.refine<string>(isSendable, 'unsendable'),
  ] as const

/** Returns the schema of a text that must not be empty; one nobody can see counts as empty, with `missing` as its error. */
export const requiredText = (max: number, missing: string) =>
  z.string(missing).check(z.refine(hasVisibleCharacter, missing), ...checkText(max))

/** Returns the schema of such a text without the white space around it. */
export const trimmedText = (max: number, missing: string) =>
  z.string(missing).check(z.trim(), z.refine(hasVisibleCharacter, missing), ...checkText(max))

/**
 * Returns the schema of a plate as users type it, or of a part of one.
 *
 * @param shape the error for anything else, beside the character that no plate has
 * @param read returns what it is parsed to
 */
export function plateField(shape: string, read: (typed: string) => string) {
  return z.pipe(
    z.pipe(
      // bounded before it is normalized: a megabyte of white space is no plate
      z.string(shape).check(z.maxLength(PLATE_TYPED_MAX, shape)),
      z.string().check(({ value, issues }) => {
        if (isPlate(read(value))) return
        issues.push({ code: 'custom', input: value, message: shape, params: { character: refusedCharacter(value) } })
      }),
    ),
    z.transform(read),
  )
}

/** A plate as users type it, parsed to the display plate. Anything else fails as requirements §5 say. */
export const PlateInput = plateField('plate_shape', displayPlate)

/** One of the provinces, by the name it is stored under. */
export const Province = z.enum(PROVINCES, 'province_missing')
export type Province = z.infer<typeof Province>

/** Returns the check of an address in its ASCII form, with this error. */
export const checkEmail = (invalid: string) =>
  [
    z.refine<string>((address) => !isUnwritable(address), 'email_unwritable'),
    z.refine<string>(isEmail, invalid),
  ] as const

/** An address as users type it, parsed to its stored form. */
export const EmailInput = z.pipe(
  z.pipe(z.string(), z.transform(normalizeEmail)),
  z.string().check(...checkEmail('email_invalid')),
)
