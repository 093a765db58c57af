/** Maximum length of a plate, in characters (requirements §9). */
export const PLATE_MAX = 8

/** The error for a plate in the wrong format (requirements §5). */
export const PLATE_FORMAT_TEXT = '1 to 8 characters, no spaces'

// white space of every script, and invisible characters: zero-width ones, joiners, bidi controls, soft hyphen, BOM
const INVISIBLE_CHARACTERS = /[\s\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/gu

/** Returns the plate as it is shown (decision 0047): NFKC, upper case, nothing invisible. Does not validate it. */
export const displayPlate = (typed: string): string =>
  typed.normalize('NFKC').toUpperCase().replace(INVISIBLE_CHARACTERS, '')

/** Returns the key that plates are matched by, compared for equality: the display plate without hyphens. */
export const plateKey = (display: string): string => display.replaceAll('-', '')

const PLATE_PATTERN = /^[A-Z0-9-]{1,8}$/

/** Returns whether a display plate is valid: 1 to 8 of `A-Z 0-9 -`, with at least one letter or digit. */
export const isPlate = (display: string): boolean => PLATE_PATTERN.test(display) && plateKey(display) !== ''
