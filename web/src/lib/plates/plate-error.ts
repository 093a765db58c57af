import { refusedCharacter } from '#contract/plate-errors.ts'
import { m } from '~/paraglide/messages'

/** Returns what is wrong with a typed text that is no plate, as the server says it too (decision plate-identity). */
export function plateError(typed: string): string {
  const refused = refusedCharacter(typed)
  return refused === null ? m.plate_shape() : `${m.plate_shape()}. ${m.plate_character({ character: refused })}`
}
