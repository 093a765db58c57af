/** Maximum length of a plate, in characters (requirements §9). */
export const PLATE_MAX = 8

/** Longer texts are not read as plates: there is room for whatever stands around and between the characters. */
export const PLATE_TYPED_MAX = 100

// white space of every script, and invisible characters: zero-width ones, joiners, bidi controls, soft hyphen, BOM
const INVISIBLE_CHARACTERS = /[\s\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/gu

// what stands between the parts of a plate, as NFKC leaves it: dashes and the minus sign; full stops, middle dots and bullets;
// apostrophes, primes and backticks; slashes. Built by a call, it would be a side effect, for which every page would load zod
const SEPARATORS =
  /[\p{Pd}\u2043\u2212.\u00b7\u2022\u2023\u2027\u2219\u22c5\u25cf\u25e6\u3002\u30fb'\x60\u02b9\u02bb\u02bc\u2018\u2019\u201b\u2032\u2035/\\\u2044\u2215\u2216\u29f8]+/gu

// capitals of the Cyrillic and Greek keyboards, and below them the Latin ones they look like
const FOREIGN_CAPITALS = 'АВЕКМНОРСТУХΑΒΕΖΗΙΚΜΝΟΡΤΥΧ'
const LATIN_CAPITALS = 'ABEKMHOPCTYXABEZHIKMNOPTYX'

const toLatin = (capital: string): string => {
  const index = FOREIGN_CAPITALS.indexOf(capital)
  return index === -1 ? capital : LATIN_CAPITALS.charAt(index)
}

/**
 * Returns the plate as it is shown (decision plate-identity): NFKC, upper case, nothing invisible, Latin for letters that look so, and one
 * hyphen for whatever stands between characters. Does not validate it.
 */
export const displayPlate = (typed: string): string =>
  typed
    .replaceAll('´', "'") // which NFKC would make a space with an accent
    .normalize('NFKC')
    .toUpperCase()
    .replace(INVISIBLE_CHARACTERS, '')
    .replace(/[\u0391-\u0425]/g, toLatin)
    .replace(SEPARATORS, '-')
    .replace(/^-|-$/g, '')

/** Returns the key that plates are matched by, compared for equality: the display plate without hyphens. */
export const plateKey = (display: string): string => display.replaceAll('-', '')

/** Returns how a plate reads on metal, where O and 0, and I and 1, are one shape (`plate_fold` in the database). */
export const foldPlate = (key: string): string => key.replaceAll('O', '0').replaceAll('I', '1')

const PLATE_PATTERN = /^[A-Z0-9]+(?:-[A-Z0-9]+)*$/

/** Returns whether a display plate is valid: 1 to 8 of `A-Z 0-9`, with single hyphens between them. */
export const isPlate = (display: string): boolean => display.length <= PLATE_MAX && PLATE_PATTERN.test(display)
