import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { defang } from './defang.ts'

test('a hair space splits whatever a mail program would turn into a link', () => {
  assert.equal(defang('See https://evil.example/a?b=c'), 'See https:\u200a//evil.\u200aexample/a?b=c')
  assert.equal(defang('www.evil.ca'), 'www.\u200aevil.\u200aca')
  assert.equal(defang('bob@evil.ca'), 'bob@\u200aevil.\u200aca')
  assert.equal(defang('mailto:bob'), 'mailto:\u200abob')
  assert.equal(defang('http://10.0.0.1/x'), 'http:\u200a//10.\u200a0.\u200a0.1/x')
  assert.equal(defang('1.2.3.4'), '1.\u200a2.\u200a3.4')
  assert.equal(defang('évil。example'), 'évil。\u200aexample')
})

test('ordinary text stays as it was written', () => {
  for (const text of [
    'Your lights are on. Please hurry!',
    'At 10:30, row 4: it costs 12.50 $',
    'Merci… à bientôt.',
    'C’est urgent : vite\n\nMerci.',
  ]) {
    assert.equal(defang(text), text)
  }
})

test('only hair spaces are added to any text, and no address stays whole', () => {
  const piece = fc.constantFrom(
    'http',
    'https',
    '://',
    ':',
    '//',
    'www',
    '.',
    'example',
    'com',
    '@',
    'a',
    '1',
    ' ',
    '\n',
    '/',
    '-',
    '。',
    'é',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const text = pieces.join('')
      const defanged = defang(text)
      assert.equal(defanged.replaceAll('\u200a', ''), text)
      assert.doesNotMatch(defanged, /[a-z]:\/\/|@\S|[\p{L}\p{N}]\.\p{L}/u)
    }),
    { seed: 1 },
  )
})
