import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import * as z from 'zod/mini'
import { PlateInput } from './fields.ts'
import { displayPlate, isPlate, PLATE_FORMAT_TEXT, PLATE_MAX, plateKey } from './plates.ts'

const validPlates: [typed: string, display: string][] = [
  ['ABCD123', 'ABCD123'],
  ['abcd 123', 'ABCD123'],
  [' a b c ', 'ABC'],
  ['abcd-123', 'ABCD-123'],
  ['AB\u00a0C\u2003D\u30001', 'ABCD1'], // spaces outside ASCII
  ['A\u200bB\u200dC\ufeffD\u00ad1', 'ABCD1'], // zero width, joiner, BOM, soft hyphen
  ['\u202eABC\u202c\u2066123\u2069', 'ABC123'], // bidi controls
  ['ＡＢＣ１２３', 'ABC123'], // full width
  ['\u{1d400}\u{1d401}1', 'AB1'], // mathematical bold
  ['A\tB\nC', 'ABC'],
  ['1', '1'],
  ['12345678', '12345678'],
]

for (const [typed, display] of validPlates) {
  test(`${JSON.stringify(typed)} is parsed to the plate ${display}`, () => {
    assert.equal(z.parse(PlateInput, typed), display)
  })
}

const invalidPlates: [what: string, typed: unknown][] = [
  ['nothing', ''],
  ['white space', ' \t\u200b'],
  ['nine characters', 'ABCD12345'],
  ['hyphens alone', '--'],
  ['an accent', 'ÉTÉ1'],
  ['Cyrillic that looks Latin', '\u0410\u0412\u0421123'],
  ['a letter whose upper case is two characters', 'aŉ'],
  ['a wildcard', 'ABC%'],
  ['an underscore', 'ABC_'],
  ['a NUL', 'ABC\0'],
  ['a dash that is not a hyphen', 'ABC–12'],
  ['a lone surrogate', 'ABC\ud800'],
  ['an emoji', '🚗'],
  ['a megabyte of white space', ' '.repeat(1_000_000)],
  ['a number', 123],
  ['null', null],
  ['nothing at all', undefined],
  ['a list', ['ABC']],
]

for (const [what, typed] of invalidPlates) {
  test(`rejects ${what} as a plate, with the text of the requirements`, () => {
    const parsed = z.safeParse(PlateInput, typed)
    assert.deepEqual(parsed.error?.issues.map((issue) => issue.message).slice(0, 1), [PLATE_FORMAT_TEXT])
  })
}

const anyText = fc.string({ unit: 'binary', maxLength: 30 })
const plateText = fc.stringMatching(/^[A-Z0-9-]{1,8}$/).filter((text) => /[A-Z0-9]/.test(text))
const invisible = [' ', '\t', '\u00a0', '\u2003', '\u200b', '\u200d', '\ufeff', '\u202e']
const noise = fc.array(fc.constantFrom(...invisible), { maxLength: 3 }).map((characters) => characters.join(''))

test('every accepted plate has 1 to 8 of A-Z, 0-9 and hyphen, and a key that is not empty', () => {
  fc.assert(
    fc.property(anyText, (typed) => {
      const parsed = z.safeParse(PlateInput, typed)
      if (!parsed.success) return
      assert.match(parsed.data, /^[A-Z0-9-]{1,8}$/)
      assert.match(plateKey(parsed.data), /^[A-Z0-9]{1,8}$/)
      assert.ok(parsed.data.length <= PLATE_MAX)
    }),
    { numRuns: 2_000 },
  )
})

test('normalizing a display plate again does not change it', () => {
  fc.assert(
    fc.property(anyText, (typed) => {
      const once = displayPlate(typed)
      if (isPlate(once)) assert.equal(displayPlate(once), once)
    }),
    { numRuns: 2_000 },
  )
})

test('case, white space, invisible characters and hyphens do not change which plate it is', () => {
  fc.assert(
    fc.property(plateText, fc.array(noise, { minLength: 9, maxLength: 9 }), fc.boolean(), (plate, gaps, lower) => {
      const written =
        plate
          .split('')
          .map((c, i) => gaps[i] + (lower ? c.toLowerCase() : c))
          .join('') + gaps[8]
      assert.equal(z.parse(PlateInput, written), plate)
      assert.equal(plateKey(z.parse(PlateInput, written)), plate.replaceAll('-', ''))
    }),
  )
})
