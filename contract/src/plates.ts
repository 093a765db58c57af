/** Longest plate, in characters (requirements §9). */
export const PLATE_MAX = 8

/** The text for a plate of the wrong shape (requirements §5). */
export const PLATE_FORMAT_TEXT = '1 to 8 characters, no spaces'

// White space of every script, and what is invisible: zero-width characters, joiners, bidi controls, soft hyphen, BOM.
const INVISIBLE_CHARACTERS = /[\s\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/gu

/** The plate as it is shown (decision 0047): NFKC, upper case, nothing invisible. Its shape is not checked here. */
export const displayPlate = (typed: string): string =>
  typed.normalize('NFKC').toUpperCase().replace(INVISIBLE_CHARACTERS, '')

/** What plates are matched by: the display plate without hyphens, compared by equality. */
export const plateKey = (display: string): string => display.replaceAll('-', '')

const PLATE_PATTERN = /^[A-Z0-9-]{1,8}$/

/** Whether a display plate is one: 1 to 8 of `A-Z 0-9 -`, with at least one letter or digit. */
export const isPlate = (display: string): boolean => PLATE_PATTERN.test(display) && plateKey(display) !== ''
