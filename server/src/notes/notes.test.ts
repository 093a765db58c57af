import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isNoteCode, noteCodeDigits } from '#contract/note-code.ts'
import { messageTemplate } from '#contract/reasons.ts'
import { m } from '#texts/messages.js'
import { readEvidence } from '../reports/case-queries.ts'
import { accepted, testApp } from '../test/app.ts'
import { caseOf } from '../test/cases.ts'
import { call, fromElsewhere, newPlate, noteLeaver, sentItems } from '../test/notes.ts'
import { postForm } from '../test/post-form.ts'

// Notes on windshields (decision windshield-note), by the front door: a sender with an account, a reader without one.

const settings = { TRUST_PROXY: '127.0.0.1' }
const app = await testApp({ settings })
const first = await testApp({ sibling: app, settings: { ...settings, LIMIT_SCALE: '1' } })
const { db } = app
const leave = noteLeaver(app)

test('a note goes from a refused send to its reader, back to its sender, and into the inbox of who registers', async () => {
  const [sender, plate] = [await app.user(), newPlate()]
  const content = messageTemplate('lights_on', 'en')!
  const message = { plate, content, reason: 'lights_on', province: 'Ontario' }
  const refused = await sender.post('/api/messages', message)
  assert.deepEqual([refused.status, refused.body.error], [404, 'That plate is not registered.'])

  const left = await sender.post('/api/notes', message)
  assert.deepEqual(Object.keys(left.body), ['code', 'expires_at'])
  assert.match(left.body.code, /^\d{4} \d{4} \d{4}$/)
  assert.ok(isNoteCode(noteCodeDigits(left.body.code)))
  const hours = (Date.parse(left.body.expires_at) - Date.now()) / 3_600_000
  assert.ok(hours > 71.9 && hours <= 72, String(hours))
  const { code } = left.body

  // as it was copied from the paper, without the hyphen of the plate
  const opened = await call(app.visitor, 'open', {
    code: code.replaceAll(' ', '-'),
    plate: plate.replace('-', '').toLowerCase(),
  })
  assert.equal(opened.status, 200, opened.text)
  assert.deepEqual([opened.body.TEXT, opened.body.REASON, opened.body.REPLIED], [content, 'Your lights are on', ''])
  const [note] = await db<{ expires_at: string }[]>`
    select n.expires_at from notes n join messages m on m.id = n.message_id where m.sender_id = ${sender.id}`
  const days = (Date.parse(note!.expires_at) - Date.now()) / 86_400_000
  assert.ok(days > 6.9 && days <= 7, String(days))

  // old enough that the status its sender reads stays the same (decision mutual-anonymity)
  await db`update messages set inserted_at = inserted_at - interval '1 minute' where is_note`
  const [before] = await sentItems(sender)
  assert.deepEqual([before.plate, before.content, before.reason, before.reply], [null, '', null, null])
  assert.equal((await call(app.visitor, 'reply', { code, plate })).body.REPLIED, 'yes')
  assert.equal((await call(app.visitor, 'reply', { code, plate })).body.REFUSED, 'already_replied')
  const [answered] = await sentItems(sender)
  assert.deepEqual(
    { ...answered, replied_at: null, kept_until: null },
    { ...before, reply: 'On my way', replied_at: null, kept_until: null },
  )
  const [notification] = (await sender.get('/api/notifications')).body.items
  assert.deepEqual([notification.type, notification.data], ['message_replied', { message_id: before.id }])
  const [mail] = await app.mails(sender.email)
  assert.deepEqual([mail!.subject, mail!.text.includes('On my way')], ['Reply to your note on a windshield', true])
  assert.equal((await sender.post(`/api/messages/${before.id}/block`)).body.code, 'nothing_to_block')

  // only who has the plate can have it, and then nobody opens it any more
  const owner = await app.user()
  assert.equal((await call(owner, 'claim', { code, plate })).body.code, 'note_not_yours')
  const vehicle = await app.vehicle(owner, { plate })
  const claimed = await call(owner, 'claim', { code, plate })
  assert.equal(claimed.status, 200, claimed.text)
  const { items } = (await owner.get('/api/messages')).body
  assert.equal(items.length, 1)
  assert.deepEqual(
    [
      items[0].id,
      items[0].plate,
      items[0].vehicle_id,
      items[0].content,
      items[0].reason,
      items[0].reply,
      items[0].is_read,
    ],
    [claimed.body.id, vehicle.plate, vehicle.id, content, 'lights_on', 'On my way', true],
  )
  assert.equal((await call(app.visitor, 'open', { code, plate })).body.REFUSED, 'note_not_found')
  // nothing reveals to the sender that the plate is registered now
  assert.deepEqual(await sentItems(sender), [answered])
  assert.deepEqual((await sender.get(`/api/messages/${before.id}`)).body, { view: 'sent', ...answered })
  // it is a message like others: its reader can block and report its sender
  assert.equal((await owner.post(`/api/messages/${claimed.body.id}/block`)).status, 204)
  assert.equal((await owner.post(`/api/messages/${claimed.body.id}/report`, { reason: 'spam' })).status, 201)
  // and the sender keeps the row when the vehicle goes
  assert.equal((await owner.delete(`/api/vehicles/${vehicle.id}`)).status, 204)
  assert.deepEqual(await sentItems(sender), [answered])
})

test('notes count as messages of their sender, and need what a send needs', async () => {
  const who = first.withToken((await app.user()).token)
  const here = fromElsewhere()
  for (let i = 0; i < 20; i++) {
    await accepted(who.post('/api/notes', { plate: newPlate(), content: 'x' }, here))
  }
  const { status, body } = await who.post('/api/notes', { plate: newPlate(), content: 'x' }, here)
  assert.deepEqual([status, body.error], [429, m.limit_messages({}, { locale: 'en' })])
  // a message is one, too
  const { plate } = await app.vehicle(await app.user())
  assert.equal((await who.post('/api/messages', { plate, content: 'x' }, here)).status, 429)

  const sender = await app.user()
  const photo = { plate: newPlate(), content: 'x', attachment_id: '01900000-0000-7000-8000-000000000000' }
  assert.deepEqual((await sender.post('/api/notes', photo)).body.code, 'note_text_only')
  assert.equal((await sender.post('/api/notes', { plate: newPlate(), content: ' ' })).status, 400)
  // a registered plate makes no difference
  assert.equal((await sender.post('/api/notes', { plate, content: 'x' })).status, 201)
  await db`update auth.users set email_confirmed_at = null where id = ${sender.id}`
  assert.equal((await sender.post('/api/notes', { plate: newPlate(), content: 'x' })).body.code, 'email_not_confirmed')
})

test('an unwanted note goes to the moderators, with its answer and without plate or code, and is gone', async () => {
  const left = await leave({ content: 'I know where you park' })
  const [before] = await sentItems(left.sender)
  assert.equal((await call(app.visitor, 'reply', left)).status, 200)
  const responses = await Promise.all([call(app.visitor, 'unwanted', left), call(app.visitor, 'unwanted', left)])
  assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 404])
  const { id } = await caseOf(app, before.id)
  const { evidence, side, reports } = (await readEvidence(app.context, id))!
  assert.deepEqual(
    [side, evidence.content, evidence.reply, evidence.typed_plate, evidence.vehicle, reports.length],
    ['message', 'I know where you park', 'On my way', null, null, 1],
  )
  assert.equal((await sentItems(left.sender))[0].id, before.id)
})

test('a note outlives the account that left it, and can still be answered and claimed', async () => {
  const left = await leave()
  assert.equal((await left.sender.post('/functions/v1/delete-user', { id: left.sender.id })).status, 200)
  assert.equal((await call(app.visitor, 'open', left)).body.TEXT, 'Your window is open')
  assert.equal((await call(app.visitor, 'reply', left)).status, 200)
  const owner = await app.user()
  await app.vehicle(owner, { plate: left.plate })
  const { body } = await call(owner, 'claim', left)
  const message = (await owner.get(`/api/messages/${body.id}`)).body
  assert.deepEqual([message.content, message.plate], ['Your window is open', left.plate])
  // evidence of who wrote it went along
  assert.equal((await owner.post(`/api/messages/${body.id}/report`, { reason: 'threat' })).status, 201)
})

test('the form opens, gives back what was typed with what is wrong, answers and throws away; another site’s form is refused', async () => {
  const post = async (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) => {
    const { status, text } = await postForm(app.url + path, fields, { ...fromElsewhere(), ...headers })
    return { status, slots: JSON.parse(text) as Record<string, string> }
  }
  const left = await leave({ content: 'Your window is open' })
  const key = { code: left.code, plate: left.plate }
  const wrong = await post('/fr/n', { code: left.code.replaceAll(' ', '-'), plate: 'TOO-LONG-1' })
  assert.deepEqual([wrong.status, wrong.slots['CODE'], wrong.slots['PLATE']], [400, left.code, 'TOO-LONG-1'])
  assert.deepEqual(
    [wrong.slots['PLATE_ERROR'], wrong.slots['PLATE_INVALID']],
    ['De 1 à 8 caractères, sans espaces', 'true'],
  )
  const missing = await post('/n', { ...key, plate: 'WRONG' })
  assert.deepEqual([missing.status, missing.slots['ERROR']], [404, m.refusal_note_not_found({}, { locale: 'en' })])
  const foreign = await post('/n', key, { 'sec-fetch-site': 'cross-site' })
  assert.deepEqual([foreign.status, foreign.slots['TEXT']], [403, undefined])
  const opened = await post('/n', { ...key, plate: left.plate.toLowerCase().replace('-', '·') })
  assert.deepEqual(
    ['TEXT', 'PLATE', 'CAN_REPLY', 'REPLIED'].map((slot) => opened.slots[slot]),
    ['Your window is open', left.plate, 'yes', ''],
  )
  const blank = await post('/n', { ...key, action: 'reply', reply: ' ' })
  assert.deepEqual(
    [blank.status, blank.slots['TEXT'], blank.slots['REPLY_ERROR']],
    [400, 'Your window is open', 'Please write a reply.'],
  )
  const answered = await post('/n', { ...key, action: 'reply', reply: 'On my way' })
  assert.deepEqual(
    ['CAN_REPLY', 'REPLIED', 'UNSENT'].map((slot) => answered.slots[slot]),
    ['', 'yes', ''],
  )
  const again = await post('/n', { ...key, action: 'reply', reply: 'Twice' })
  assert.equal(again.status, 409)
  assert.deepEqual(
    ['ERROR', 'CAN_REPLY', 'REPLIED', 'UNSENT'].map((slot) => again.slots[slot]),
    [m.refusal_already_replied({}, { locale: 'en' }), '', '', 'Twice'],
  )
  assert.deepEqual(await post('/n', { ...key, action: 'unwanted' }), { status: 200, slots: {} })
  assert.equal((await post('/n', key)).status, 404)
})
