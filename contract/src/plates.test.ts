import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import * as z from 'zod/mini'
import { PlateInput } from './fields.ts'
import { PLATE_MAX, plateKey } from './plates.ts'

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
  ...[..."-‐‑‒–—―−﹘﹣－〜.·•‧・･∙⋅．。'’‘ʼ′`´＇/\\⁄∕／＼"].map((separator): [string, string] => [
    `bxtr${separator}914`,
    'BXTR-914',
  ]),
  ['BXTR…914', 'BXTR-914'],
  ['BXTR - - 914', 'BXTR-914'],
  ['-BXTR914', 'BXTR914'],
  ['BXTR 914.', 'BXTR914'], // dictated
  ['‘BXTR914’', 'BXTR914'],
  ['AB-C-1', 'AB-C-1'],
  ['\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420', 'ABEKMHOP'], // Cyrillic
  ['\u0421\u0422\u0423\u0425', 'CTYX'],
  ['\u0430\u0432\u0435\u043a\u043c\u043d\u043e\u0440', 'ABEKMHOP'],
  ['\u0391\u0392\u0395\u0396\u0397\u0399\u039a', 'ABEZHIK'], // Greek
  ['\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7', 'MNOPTYX'],
  ['\u03b1\u03b2\u03b5\u03b6\u03b7\u03b9\u03ba', 'ABEZHIK'],
]

for (const [typed, display] of validPlates) {
  test(`${JSON.stringify(typed)} is parsed to the plate ${display}`, () => {
    assert.equal(z.parse(PlateInput, typed), display)
  })
}

const invalidPlates: [what: string, typed: unknown, refused?: string][] = [
  ['nothing', ''],
  ['white space', ' \t\u200b'],
  ['nine characters', 'ABCD12345'],
  ['hyphens alone', '--'],
  ['an accent', 'ÉTÉ1', 'É'],
  ['an accent of its own', 'TE\u0301', 'É'],
  ['Cyrillic that looks like nothing Latin', '\u0410\u0416\u0411', '\u0416'],
  ['a letter whose upper case is two characters', 'aǰ', 'ǰ'],
  ['a wildcard', 'ABC%', '%'],
  ['a NUL', 'ABC\0', 'U+0000'],
  ['a lone surrogate', 'ABC\ud800', 'U+D800'],
  ['an accent on nothing', '\u0301ABC', 'U+0301'],
  ['an emoji of several', '👨‍👩‍👧', '👨‍👩‍👧'],
  ['a letter under fifty accents', `A${'\u0338'.repeat(50)}`, 'U+0338'],
  ['the first of several', 'A?B!', '?'],
  ['a megabyte of white space', ' '.repeat(1_000_000)],
  ['more than anybody types', '#'.repeat(101)],
  ['a number', 123],
  ['null', null],
]

for (const [what, typed, refused] of invalidPlates) {
  test(`rejects ${what} as a plate, and names the character`, () => {
    const parsed = z.safeParse(PlateInput, typed)
    const [{ message, params } = {}] = (parsed.error?.issues ?? []) as {
      message: string
      params?: { character: string | null }
    }[]
    assert.deepEqual([message, params?.character ?? undefined], ['plate_shape', refused])
  })
}

const anyText = fc.string({ unit: 'binary', maxLength: 30 })
test('every accepted plate has 1 to 8 of A-Z and 0-9, with single hyphens between them, and a key that is not empty', () => {
  fc.assert(
    fc.property(anyText, (typed) => {
      const parsed = z.safeParse(PlateInput, typed)
      if (!parsed.success) return
      assert.match(parsed.data, /^[A-Z0-9]+(-[A-Z0-9]+)*$/)
      assert.match(plateKey(parsed.data), /^[A-Z0-9]{1,8}$/)
      assert.ok(parsed.data.length <= PLATE_MAX)
    }),
    { numRuns: 2_000, seed: 1 },
  )
})
