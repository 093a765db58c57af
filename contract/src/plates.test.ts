import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import * as z from 'zod/mini'
import { PlateInput } from './fields.ts'
import { displayPlate, isPlate, PLATE_FORMAT_TEXT, PLATE_MAX, plateKey } from './plates.ts'

const good: [typed: string, display: string][] = [
  ['ABCD123', 'ABCD123'],
  ['abcd 123', 'ABCD123'],
  [' a b c ', 'ABC'],
  ['abcd-123', 'ABCD-123'],
  ['AB\u00a0C\u2003D\u30001', 'ABCD1'], // spaces that are no ASCII
  ['A\u200bB\u200dC\ufeffD\u00ad1', 'ABCD1'], // zero width, joiner, BOM, soft hyphen
  ['\u202eABC\u202c\u2066123\u2069', 'ABC123'], // bidi controls
  ['ＡＢＣ１２３', 'ABC123'], // full width
  ['\u{1d400}\u{1d401}1', 'AB1'], // mathematical bold
  ['A\tB\nC', 'ABC'],
  ['1', '1'],
  ['12345678', '12345678'],
]

for (const [typed, display] of good) {
  test(`${JSON.stringify(typed)} is the plate ${display}`, () => {
    assert.equal(z.parse(PlateInput, typed), display)
  })
}

const bad: [what: string, typed: unknown][] = [
  ['nothing', ''],
  ['white space', ' \t\u200b'],
  ['nine characters', 'ABCD12345'],
  ['hyphens alone', '--'],
  ['an accent', 'ÉTÉ1'],
  ['Cyrillic that looks Latin', '\u0410\u0412\u0421123'],
  ['a letter that grows in upper case out of the alphabet', 'aŉ'],
  ['a wildcard', 'ABC%'],
  ['an underscore', 'ABC_'],
  ['a NUL', 'ABC\0'],
  ['a dash that is no hyphen', 'ABC–12'],
  ['a lone surrogate', 'ABC\ud800'],
  ['an emoji', '🚗'],
  ['a megabyte of white space', ' '.repeat(1_000_000)],
  ['a number', 123],
  ['null', null],
  ['nothing at all', undefined],
  ['a list', ['ABC']],
]

for (const [what, typed] of bad) {
  test(`${what} is no plate, in the words of the specification`, () => {
    const parsed = z.safeParse(PlateInput, typed)
    assert.deepEqual(parsed.error?.issues.map((issue) => issue.message).slice(0, 1), [PLATE_FORMAT_TEXT])
  })
}

const anyText = fc.string({ unit: 'binary', maxLength: 30 })
const plateText = fc.stringMatching(/^[A-Z0-9-]{1,8}$/).filter((text) => /[A-Z0-9]/.test(text))
const unseen = [' ', '\t', '\u00a0', '\u2003', '\u200b', '\u200d', '\ufeff', '\u202e']
const noise = fc.array(fc.constantFrom(...unseen), { maxLength: 3 }).map((found) => found.join(''))

test('whatever is typed, what passes is 1 to 8 of A-Z 0-9 and hyphen, and its key is never empty', () => {
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

test('a display plate stays itself, whatever was typed', () => {
  fc.assert(
    fc.property(anyText, (typed) => {
      const once = displayPlate(typed)
      if (isPlate(once)) assert.equal(displayPlate(once), once)
    }),
    { numRuns: 2_000 },
  )
})

test('case, white space, invisible characters and hyphens make no other plate of one', () => {
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
