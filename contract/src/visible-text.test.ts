import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasVisibleCharacter } from './visible-text.ts'

const BLANK: Record<string, string> = {
  nothing: '',
  'white space': ' \n\t\u00a0\u3000',
  'a zero-width space': '\u200b',
  'zero-width joiners': '\u200d\u200c\u2060',
  'a soft hyphen': '\u00ad',
  'a byte order mark': '\ufeff',
  'direction marks': '\u200e\u202e\u2066\u2069',
  'a Hangul filler': '\u3164\u115f\uffa0',
  'a blank braille pattern': '\u2800',
  'a variation selector': '\ufe0f',
  'tag characters': '\u{e0041}\u{e0042}',
  'a mark without a letter': '\u0301',
  'an invisible separator': '\u2063\u2064',
}

test('a text nobody can see has no visible character', () => {
  for (const [what, text] of Object.entries(BLANK)) assert.equal(hasVisibleCharacter(text), false, what)
})

test('one visible character of any script is a text', () => {
  for (const text of ['a', '1', '?', '€', '漢', 'é', 'ا', '\u200b!\u200b', '🚗', '👨‍👩‍👧', '❤️', '1️⃣', ' . '])
    assert.equal(hasVisibleCharacter(text), true, JSON.stringify(text))
})
