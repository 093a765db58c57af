import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MESSAGE_MAX, MessageReason } from './messages.ts'
import { isReadyText, readyText, reasonName, textFor } from './reasons.ts'

const TELLING = MessageReason.options.filter((reason) => reason !== 'other')

test('every reason but "other" has a name and a ready text of its own in both languages', () => {
  const texts = TELLING.flatMap((reason) => [readyText(reason, 'en'), readyText(reason, 'fr-CA')])
  const names = TELLING.flatMap((reason) => [reasonName(reason, 'en'), reasonName(reason, 'fr-CA')])
  assert.equal(new Set(texts).size, 2 * TELLING.length)
  assert.equal(new Set(names).size, 2 * TELLING.length)
  for (const text of texts) assert.ok(text && text.length < MESSAGE_MAX && isReadyText(text))
  assert.equal(readyText('other', 'en'), null)
  assert.equal(reasonName('other', 'fr-CA'), null)
  assert.equal(reasonName(null, 'en'), null)
})

test('an untouched ready text is read in the reader’s language', () => {
  for (const reason of TELLING) {
    const [en, fr] = [readyText(reason, 'en') ?? '', readyText(reason, 'fr-CA') ?? '']
    assert.equal(textFor({ content: en, reason }, 'fr-CA'), fr)
    assert.equal(textFor({ content: ` ${fr}\n`, reason }, 'en'), en)
    assert.equal(textFor({ content: en, reason }, 'en'), en)
  }
})

test('what a person wrote or changed stays as it was written', () => {
  const changed = `${readyText('lights_on', 'en')} Level P2.`
  assert.equal(isReadyText(changed), false)
  assert.equal(textFor({ content: changed, reason: 'lights_on' }, 'fr-CA'), changed)
  const ofAnother = readyText('alarm', 'en') ?? ''
  assert.equal(textFor({ content: ofAnother, reason: 'lights_on' }, 'fr-CA'), ofAnother)
  assert.equal(textFor({ content: ofAnother, reason: null }, 'fr-CA'), ofAnother)
  assert.equal(textFor({ content: 'Something', reason: 'other' }, 'fr-CA'), 'Something')
})
