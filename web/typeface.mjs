import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, resolve } from 'node:path'
import subsetFont from 'subset-font'

const require = createRequire(import.meta.url)
const PACKAGED = require.resolve('@fontsource-variable/overpass/files/overpass-latin-wght-normal.woff2')
/** The characters of that file, in the syntax of style sheets: `U+0000-00FF,U+0131`. */
const { latin } = require('@fontsource-variable/overpass/unicode.json')
const output = resolve(import.meta.dirname, 'src/fonts/overpass.woff2')
/** The range of weights; the style sheet declares the same one. */
const WEIGHTS = { min: 400, max: 900 }
/** Characters that no page shows: control characters, the byte order mark and the replacement character. */
const INVISIBLE = /[\p{Cc}\uFEFF\uFFFD]/u
/** The middle dot has no width in this typeface, so that it sticks to what follows: the dot of the next font in the list has one. */
const MISDRAWN = '·'

/**
 * Writes the subset of the typeface that the pages use to `src/fonts`: with the weights from 400 up only, it is a quarter
 * smaller. The same package gives the same bytes, so the hashed name of the built file stays the same.
 */
export async function makeTypeface() {
  const characters = latin
    .split(',')
    .flatMap(charactersOf)
    .filter((character) => !INVISIBLE.test(character) && character !== MISDRAWN)
  const font = await subsetFont(readFileSync(PACKAGED), characters.join(''), {
    targetFormat: 'woff2',
    variationAxes: { wght: WEIGHTS },
  })
  if (existsSync(output) && font.equals(readFileSync(output))) return
  mkdirSync(dirname(output), { recursive: true })
  writeFileSync(output, font)
}

/**
 * Returns the characters of a range.
 *
 * @param {string} range one entry of a style sheet's `unicode-range`
 */
function charactersOf(range) {
  const [first = 0, last = first] = range
    .slice('U+'.length)
    .split('-')
    .map((point) => Number.parseInt(point, 16))
  return Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index))
}
