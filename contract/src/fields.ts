// What people type into fields, as more than one form takes it. Apart from the lists and rules of plates.ts and provinces.ts,
// which browsers need on pages that check nothing.
import * as z from 'zod/mini'
import { displayPlate, isPlate, PLATE_FORMAT_TEXT } from './plates.ts'
import { PROVINCES } from './provinces.ts'

/** Whether a text keeps to so many characters. They are counted only where that can matter: each has one or two code units. */
export const hasAtMostCharacters =
  (max: number) =>
  (s: string): boolean =>
    s.length <= max || (s.length <= 2 * max && [...s].length <= max)

/** Whether a text can be stored and mailed. No person types a NUL or half a character. */
export const isSendable = (s: string): boolean => !s.includes('\0') && s.isWellFormed()

/** What is said of a text that is not `sendable`. */
export const UNSENDABLE_TEXT = 'This text has a character that cannot be sent.'

/** A plate as people type it; parsed to the display plate. Anything else fails with the text of requirements §5. */
export const PlateInput = z.pipe(
  // bounded before it is worked on: a megabyte of white space is no plate
  z.pipe(z.string(PLATE_FORMAT_TEXT).check(z.maxLength(100, PLATE_FORMAT_TEXT)), z.transform(displayPlate)),
  z.string().check(z.refine(isPlate, PLATE_FORMAT_TEXT)),
)

/** One of the provinces, by the name it is stored under. */
export const Province = z.enum(PROVINCES, 'Please choose a province.')
export type Province = z.infer<typeof Province>
