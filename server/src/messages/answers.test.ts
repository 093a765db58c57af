import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Person, testApp } from '../test/app.ts'
import { startFakePushService } from '../test/fake-push-service.ts'

// Replies that are one tap (decision replies-and-search).

const service = await startFakePushService()
const app = await testApp({ settings: { PUSH_HOSTS: service.origin } })
after(() => service.close())

const NOT_MY_CAR_FR = 'Le propriétaire dit que ce n’est pas ce véhicule. Vérifiez la plaque et la province.'

/** Has a message sent to an owner; returns its id and both people. */
async function receive(senderData: { locale?: string } = {}) {
  const [owner, sender] = await Promise.all([app.user(), app.user(senderData)])
  const { plate } = await app.vehicle(owner)
  const { body } = await sender.post('/api/messages', { plate, content: 'Your lights are on' })
  return { owner, sender, plate, id: body.id as string }
}
const reply = (who: Person, id: string, body: object) => who.post(`/api/messages/${id}/reply`, body)

test('an answer needs no text: both sides read it, and have it in the export', async () => {
  const { owner, sender, id } = await receive()
  assert.equal((await sender.get(`/api/messages/${id}`)).body.answer, null)
  const { status, body } = await reply(owner, id, { reply: '', answer: 'not_my_car' })
  assert.equal(status, 200)
  assert.deepEqual([body.answer, body.reply, body.is_read], ['not_my_car', '', true])
  assert.ok(body.replied_at)
  for (const [who, view] of [
    [owner, 'received'],
    [sender, 'sent'],
  ] as const) {
    const { body: one } = await who.get(`/api/messages/${id}`)
    assert.deepEqual([one.answer, one.reply], ['not_my_car', ''])
    const { body: data } = await who.get('/api/export')
    assert.equal(data[`messages_${view}`][0].answer, 'not_my_car')
  }
})

test('an answer has a text beside it or none, and is one of these', async () => {
  const { owner, id } = await receive()
  for (const [body, field] of [
    [{ reply: '\u200b' }, 'reply'],
    [{ reply: '', answer: 'maybe' }, 'answer'],
  ] as const) {
    const refused = await reply(owner, id, body)
    assert.deepEqual([refused.status, Object.keys(refused.body.fields)], [400, [field]], JSON.stringify(body))
  }
  const { body } = await reply(owner, id, { reply: ' \u200b', answer: 'thanks' })
  assert.deepEqual([body.reply, body.answer], ['', 'thanks'])
})

test('the mail and the push say it in the sender’s language', async () => {
  const { owner, sender, id, plate } = await receive({ locale: 'fr-CA' })
  const browser = service.browser()
  const { endpoint, keys } = browser
  assert.equal((await sender.post('/api/push/subscriptions', { endpoint, keys })).status, 204)
  await reply(owner, id, { reply: '', answer: 'not_my_car' })
  const [mail] = await app.mails(sender.email)
  assert.equal(mail!.subject, `Réponse au sujet de la plaque ${plate}`)
  assert.ok(mail!.text.includes(NOT_MY_CAR_FR), mail!.text)
  assert.doesNotMatch(mail!.text, /vous a répondu|^>/m)
  const [push] = await browser.pushes()
  assert.equal(push!.payload.body, NOT_MY_CAR_FR)
})
