import { refusedCharacter } from '#contract/plate-errors.ts'
import { m } from '~/paraglide/messages'

/** Returns what is wrong with a typed text that is no plate, as the server says it too (decision plate-identity). */
export function plateError(typed: string): string {
  const refused = refusedCharacter(typed)
  return refused === null
    ? m.field_plate_shape()
    : `${m.field_plate_shape()}. ${m.field_plate_character({ character: refused })}`
}
