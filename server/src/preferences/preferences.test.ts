import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '../test/app.ts'

const app = await testApp()

const DEFAULTS = {
  ...{ locale: 'en', email_messages: true, email_message_text: true, email_answers: true },
  ...{ quiet_from: null, quiet_until: null, time_zone: 'America/Toronto' },
}

test('a new person gets emails with the text of messages, in the language of the sign-up', async () => {
  for (const locale of ['en', 'fr-CA'])
    assert.deepEqual((await (await app.user({ locale })).get('/api/preferences')).body, { ...DEFAULTS, locale })
})

test('each preference changes by itself, and is kept', async () => {
  const person = await app.user()
  const expected = { ...DEFAULTS }
  for (const change of [
    { locale: 'fr-CA' },
    { email_messages: false },
    { email_message_text: false },
    { email_answers: false },
    {},
  ]) {
    Object.assign(expected, change)
    assert.deepEqual((await person.patch('/api/preferences', change)).body, expected)
    assert.deepEqual((await person.get('/api/preferences')).body, expected)
  }
})

test('a person without a row has the defaults, and can change them', async () => {
  const person = await app.user()
  await app.db`delete from preferences where user_id = ${person.id}`
  assert.deepEqual((await person.get('/api/preferences')).body, DEFAULTS)
  const { body } = await person.patch('/api/preferences', { email_messages: false })
  assert.deepEqual(body, { ...DEFAULTS, email_messages: false })
})

test('quiet hours are set with their zone, kept when something else changes, and taken back', async () => {
  const person = await app.user()
  const quiet = { quiet_from: '22:30', quiet_until: '07:00', time_zone: 'America/St_Johns' }
  assert.deepEqual((await person.patch('/api/preferences', quiet)).body, { ...DEFAULTS, ...quiet })
  await person.patch('/api/preferences', { locale: 'fr-CA' })
  const { body: moved } = await person.patch('/api/preferences', { time_zone: 'Asia/Kolkata' })
  assert.deepEqual([moved.quiet_from, moved.quiet_until, moved.time_zone], ['22:30', '07:00', 'Asia/Kolkata'])
  await person.patch('/api/preferences', { quiet_from: '00:00', quiet_until: '23:59' })
  const { body: none } = await person.patch('/api/preferences', { quiet_from: null, quiet_until: null })
  assert.deepEqual([none.quiet_from, none.quiet_until, none.time_zone], [null, null, 'Asia/Kolkata'])
  assert.deepEqual((await person.get('/api/preferences')).body, none)
})

test('quiet hours that end when they begin are refused, and the text says so', async () => {
  const person = await app.user()
  const { status, body } = await person.patch('/api/preferences', { quiet_from: '22:00', quiet_until: '22:00' })
  assert.equal(status, 400)
  assert.deepEqual(body.fields, { quiet_until: 'Quiet hours cannot end at the time they begin.' })
})

const malformed: [change: object, field: string][] = [
  [{ locale: 'fr' }, 'locale'],
  [{ quiet_from: '22:00' }, 'quiet_until'],
  [{ quiet_until: '07:00' }, 'quiet_until'],
  [{ quiet_from: '22:00', quiet_until: null }, 'quiet_until'],
  [{ quiet_from: '24:00', quiet_until: '07:00' }, 'quiet_from'],
  [{ quiet_from: '22:00', quiet_until: '7:00' }, 'quiet_until'],
  [{ time_zone: 'Eastern' }, 'time_zone'],
  [{ time_zone: '+05:00' }, 'time_zone'],
  [{ time_zone: 'America/Toronto; drop' }, 'time_zone'],
]

test('what is no language, time or zone is refused, and nothing changes', async () => {
  const person = await app.user()
  for (const [change, field] of malformed) {
    const { status, body } = await person.patch('/api/preferences', change)
    assert.deepEqual([status, Object.keys(body.fields)], [400, [field]], JSON.stringify(change))
  }
  assert.deepEqual((await person.get('/api/preferences')).body, DEFAULTS)
})
