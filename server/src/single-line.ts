const MAX_TEXT_LENGTH = 300

/** Returns a text as one line of at most 300 characters. */
export function toSingleLine(text: string): string {
  const letters = [...text.replace(/[\s\p{Cc}]+/gu, ' ').trim()]
  return letters.length > MAX_TEXT_LENGTH
    ? `${letters
        .slice(0, MAX_TEXT_LENGTH - 1)
        .join('')
        .trimEnd()}…`
    : letters.join('')
}
