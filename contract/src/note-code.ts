/** The digits of a note's code: eleven random ones and a check digit. */
export const NOTE_CODE_DIGITS = 12

/** Returns the digits of a code as somebody typed it; spaces, hyphens and digits of other scripts are understood. */
export const noteCodeDigits = (typed: string): string => typed.normalize('NFKC').replace(/[^0-9]/g, '')

/** Returns the check digit for the digits before it (Luhn, ISO/IEC 7812-1): it finds one wrong digit, and most swapped ones. */
export function noteCheckDigit(digits: string): string {
  const sum = [...digits].toReversed().reduce((total, digit, i) => {
    const value = Number(digit) * (i % 2 === 0 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return String((10 - (sum % 10)) % 10)
}

/** Returns whether these are the digits of a code that was copied without a mistake. */
export const isNoteCode = (digits: string): boolean =>
  /^\d{12}$/.test(digits) && noteCheckDigit(digits.slice(0, -1)) === digits.at(-1)

/** Writes a code as people copy it: in groups of four. */
export const formatNoteCode = (digits: string): string => digits.replace(/(\d{4})(?=\d)/g, '$1 ')
