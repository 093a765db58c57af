import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Person, testApp } from '../test/app.ts'
import { deleteOldMessages } from './queries.ts'

// A message is kept for twelve months after the last activity on it (decision 0080).

const app = await testApp()
after(() => app.close())
const [owner, sender] = [await app.user(), await app.user()]
const { plate } = await app.vehicle(owner)

async function send(): Promise<string> {
  const { status, body, text } = await sender.post('/api/messages', { plate, content: 'Your lights are on' })
  assert.equal(status, 201, text)
  return body.id
}

const reply = (id: string) => owner.post(`/api/messages/${id}/reply`, { reply: 'On my way' })
const read = async (who: Person, id: string) => (await who.get(`/api/messages/${id}`)).body
const statuses = async (id: string) => [
  (await owner.get(`/api/messages/${id}`)).status,
  (await sender.get(`/api/messages/${id}`)).status,
]
/** Moves a message's times back, by so many months and days. */
const age = (id: string, sent: string, replied: string | null = null) =>
  app.db`
    update messages set inserted_at = now() - ${sent}::interval, replied_at = now() - ${replied}::interval
    where id = ${id}`

const yearsApart = (from: string, to: string) => {
  const day = new Date(from)
  day.setUTCFullYear(day.getUTCFullYear() + 1)
  return Math.abs(day.getTime() - Date.parse(to)) < 2 * 86_400_000
}

test('both sides read until when a message is kept, and a reply moves the date', async () => {
  const id = await send()
  await age(id, '3 months')
  for (const who of [owner, sender]) {
    const message = await read(who, id)
    assert.ok(yearsApart(message.inserted_at, message.kept_until), JSON.stringify(message))
  }
  const before = (await read(sender, id)).kept_until
  const answered = await reply(id)
  assert.equal(answered.status, 200, answered.text)
  assert.ok(yearsApart(answered.body.replied_at, answered.body.kept_until))
  const after = (await read(sender, id)).kept_until
  assert.equal(after, answered.body.kept_until)
  assert.ok(after > before)
  const listed = (await sender.get('/api/messages?view=sent')).body.items.find((item: { id: string }) => item.id === id)
  assert.equal(listed.kept_until, after)
})

test('reading a message, or marking it, is no activity', async () => {
  const id = await send()
  const before = (await read(owner, id)).kept_until
  assert.equal((await owner.patch(`/api/messages/${id}`, { is_read: true })).body.kept_until, before)
})

test('a message is deleted twelve months after the last activity on it, whenever it was sent', async () => {
  const id = await send()
  assert.equal((await reply(id)).status, 200)
  await age(id, '13 months', '12 months -1 day')
  await deleteOldMessages(app.db)
  assert.deepEqual(await statuses(id), [200, 200])
  await age(id, '13 months', '12 months 1 day')
  await deleteOldMessages(app.db)
  assert.deepEqual(await statuses(id), [404, 404])
})
