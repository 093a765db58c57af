import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, resolve } from 'node:path'
import subsetFont from 'subset-font'

const require = createRequire(import.meta.url)
const PACKAGED = require.resolve('@fontsource-variable/overpass/files/overpass-latin-wght-normal.woff2')
/** The characters of that file, as style sheets write them: `U+0000-00FF,U+0131`. */
const { latin } = require('@fontsource-variable/overpass/unicode.json')
const made = resolve(import.meta.dirname, 'src/fonts/overpass.woff2')
/** The weights of the style sheet; it names the same ones. */
const WEIGHTS = { min: 400, max: 900 }
/** What no page shows: control characters, the mark of byte order and that of a broken character. */
const UNSEEN = /[\p{Cc}\uFEFF\uFFFD]/u

/**
 * Writes the typeface as the pages use it to `src/fonts`: the weights from 400 on, a quarter less to load on every first
 * visit. The same bytes come of the same package, so that the built file keeps its name.
 */
export async function makeTypeface() {
  const characters = latin
    .split(',')
    .flatMap(charactersOf)
    .filter((character) => !UNSEEN.test(character))
  const font = await subsetFont(readFileSync(PACKAGED), characters.join(''), {
    targetFormat: 'woff2',
    variationAxes: { wght: WEIGHTS },
  })
  if (existsSync(made) && font.equals(readFileSync(made))) return
  mkdirSync(dirname(made), { recursive: true })
  writeFileSync(made, font)
}

/** @param {string} range one of a style sheet's `unicode-range` */
function charactersOf(range) {
  const [first = 0, last = first] = range
    .slice('U+'.length)
    .split('-')
    .map((point) => Number.parseInt(point, 16))
  return Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index))
}
