import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rejectVehicle } from './admin.ts'
import { ContactForm } from './contact.ts'
import type { EndpointDefinition } from './endpoint.ts'
import { NewMessage, replyToMessage } from './messages.ts'
import { hasVisibleCharacter } from './visible-text.ts'

/** Returns the schema of an endpoint's input, which exists on the server only. */
const inputOf = (endpoint: object) => (endpoint as EndpointDefinition).input

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

for (const [what, text] of Object.entries(BLANK)) {
  test(`a text of ${what} counts as empty, in every form`, () => {
    assert.equal(hasVisibleCharacter(text), false)
    const id = '01900000-0000-7000-8000-000000000000'
    const contact = { name: 'Alex', email: 'alex@example.com', subject: 'general-inquiry', message: 'Hello' }
    const missing = (result: { error?: { issues: { message: string }[] } }) => result.error?.issues[0]?.message
    assert.equal(missing(NewMessage.safeParse({ plate: 'ABC123', content: text })), 'Please fill out both fields.')
    assert.equal(missing(inputOf(replyToMessage).safeParse({ id, reply: text })), 'Please write a reply.')
    assert.equal(missing(inputOf(rejectVehicle).safeParse({ id, reason: text })), 'Please give a reason.')
    assert.equal(missing(ContactForm.safeParse({ ...contact, name: text })), 'Please enter your name.')
    assert.equal(missing(ContactForm.safeParse({ ...contact, message: text })), 'Please write a message.')
  })
}

test('one visible character of any script is a text', () => {
  for (const text of ['a', '1', '?', '€', '漢', 'é', 'ا', '\u200b!\u200b', '🚗', '👨‍👩‍👧', '❤️', '1️⃣', ' . '])
    assert.equal(hasVisibleCharacter(text), true, JSON.stringify(text))
})
