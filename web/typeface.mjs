import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, resolve } from 'node:path'
import subsetFont from 'subset-font'

const PACKAGED = '@fontsource-variable/overpass/files/overpass-latin-wght-normal.woff2'
const made = resolve(import.meta.dirname, 'src/fonts/overpass.woff2')
/** The weights of the style sheet; it names the same ones. */
const WEIGHTS = { min: 400, max: 900 }
/** The characters of the packaged file, the range its makers call latin: first and last. */
const LATIN = [
  [0x20, 0x7e],
  [0xa0, 0xff],
  [0x131, 0x131],
  [0x152, 0x153],
  [0x2bb, 0x2bc],
  [0x2c6, 0x2c6],
  [0x2da, 0x2da],
  [0x2dc, 0x2dc],
  [0x304, 0x304],
  [0x308, 0x308],
  [0x329, 0x329],
  [0x2000, 0x206f],
  [0x20ac, 0x20ac],
  [0x2122, 0x2122],
  [0x2191, 0x2191],
  [0x2193, 0x2193],
  [0x2212, 0x2212],
  [0x2215, 0x2215],
]

/**
 * Writes the typeface as the pages use it to `src/fonts`: the weights from 400 on, a quarter less to load on every first
 * visit. The same bytes come of the same package, so that the built file keeps its name.
 */
export async function makeTypeface() {
  const characters = LATIN.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index)),
  )
  const packaged = readFileSync(createRequire(import.meta.url).resolve(PACKAGED))
  const font = await subsetFont(packaged, characters.join(''), {
    targetFormat: 'woff2',
    variationAxes: { wght: WEIGHTS },
  })
  if (existsSync(made) && font.equals(readFileSync(made))) return
  mkdirSync(dirname(made), { recursive: true })
  writeFileSync(made, font)
}
