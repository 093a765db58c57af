import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { newEmail, PASSWORD, testApp } from '../test/app.ts'
import { assertRefused } from '../test/auth-links.ts'
import { createAdmin } from '../test/disputes.ts'

// A text nobody can see counts as empty, wherever people write one.

const app = await testApp()
after(() => app.close())

const [owner, sender, admin] = [await app.user(), await app.user(), await createAdmin(app)]
const vehicle = await app.vehicle(owner)

/** Zero-width spaces, a word joiner, a byte order mark and a Hangul filler; others are in `contract/src/visible-text.test.ts`. */
const blank = '\u200b\u200b \u2060 \ufeff\u3164'

test('a message, a reply, a reason, a contact message and a name of nothing visible are refused as empty', async () => {
  const fieldsOf = (response: { status: number; body: { fields?: object } }) => [response.status, response.body.fields]

  const message = await sender.post('/api/messages', { plate: vehicle.plate, content: blank })
  assert.deepEqual(fieldsOf(message), [400, { content: 'Please fill out both fields.' }])
  const unaddressed = await sender.post('/api/messages', { plate: blank, content: 'Hi' })
  assert.deepEqual(fieldsOf(unaddressed), [400, { plate: 'Please fill out both fields.' }])

  const sent = await sender.post('/api/messages', { plate: vehicle.plate, content: `${blank}.${blank}` })
  assert.equal(sent.status, 201) // one visible character is enough
  const reply = await owner.post(`/api/messages/${sent.body.id}/reply`, { reply: blank })
  assert.deepEqual(fieldsOf(reply), [400, { reply: 'Please write a reply.' }])

  const rejection = await admin.post(`/api/admin/vehicles/${vehicle.id}/reject`, { reason: blank })
  assert.deepEqual(fieldsOf(rejection), [400, { reason: 'Please give a reason.' }])

  const form = { type: 'contact', name: 'Alex', email: 'alex@example.com', subject: 'general-inquiry', message: 'Hi' }
  const unnamed = await app.visitor.post('/send-email', { ...form, name: blank })
  assert.deepEqual(fieldsOf(unnamed), [400, { name: 'Please enter your name.' }])
  const empty = await app.visitor.post('/send-email', { ...form, message: blank })
  assert.deepEqual(fieldsOf(empty), [400, { message: 'Please write a message.' }])

  const input = { email: newEmail(), password: PASSWORD, data: { full_name: blank } }
  assertRefused(await app.visitor.post('/auth/v1/signup', input), 400, 'validation_failed')
})
