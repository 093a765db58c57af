import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MessageReason } from './messages.ts'
import { isMessageTemplate, localizedMessageText, messageTemplate } from './reasons.ts'

const NAMED_REASONS = MessageReason.options.filter((reason) => reason !== 'other')

test('an unedited template is shown in the reader’s language', () => {
  for (const reason of NAMED_REASONS) {
    const [en, fr] = [messageTemplate(reason, 'en') ?? '', messageTemplate(reason, 'fr-CA') ?? '']
    assert.equal(localizedMessageText({ content: en, reason }, 'fr-CA'), fr)
    assert.equal(localizedMessageText({ content: ` ${fr}\n`, reason }, 'en'), en)
    assert.equal(localizedMessageText({ content: en, reason }, 'en'), en)
  }
})

test('a text that a user wrote or edited is shown as it was written', () => {
  const edited = `${messageTemplate('lights_on', 'en')} Level P2.`
  assert.equal(isMessageTemplate(edited), false)
  assert.equal(localizedMessageText({ content: edited, reason: 'lights_on' }, 'fr-CA'), edited)
  const otherTemplate = messageTemplate('alarm', 'en') ?? ''
  assert.equal(localizedMessageText({ content: otherTemplate, reason: 'lights_on' }, 'fr-CA'), otherTemplate)
  assert.equal(localizedMessageText({ content: otherTemplate, reason: null }, 'fr-CA'), otherTemplate)
  assert.equal(localizedMessageText({ content: 'Something', reason: 'other' }, 'fr-CA'), 'Something')
})
