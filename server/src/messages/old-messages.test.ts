import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import sharp from 'sharp'
import { cleanUpAttachments } from '../attachments/cleanup.ts'
import { type Person, testApp } from '../test/app.ts'
import { deleteOldMessages } from './queries.ts'

// A message is kept for twelve months after the last activity on it (decision 0080).

const app = await testApp()
after(() => app.close())
const [owner, sender] = [await app.user(), await app.user()]
const { plate } = await app.vehicle(owner)

async function send(extra: object = {}): Promise<string> {
  const { status, body, text } = await sender.post('/api/messages', { plate, content: 'Your lights are on', ...extra })
  assert.equal(status, 201, text)
  return body.id
}

async function upload(): Promise<string> {
  const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(picture)], { type: 'image/png' }), 'x.png')
  return (await sender.post('/api/attachments', form)).body.id
}

const reply = (id: string) => owner.post(`/api/messages/${id}/reply`, { reply: 'On my way' })
const read = async (who: Person, id: string) => (await who.get(`/api/messages/${id}`)).body
const statuses = async (id: string) => [
  (await owner.get(`/api/messages/${id}`)).status,
  (await sender.get(`/api/messages/${id}`)).status,
]
const [KEPT, GONE] = [
  [200, 200],
  [404, 404],
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

test('a message goes with its photo, notifications and emails once twelve months are over, and not a day sooner', async () => {
  const attachment_id = await upload()
  const [id, young] = [await send({ attachment_id }), await send()]
  assert.equal((await reply(id)).status, 200)
  const url = (await read(sender, id)).image_url
  const countImages = () =>
    readdirSync(join(app.config.DATA_DIR, 'attachments'), { recursive: true }).filter((f) => /\.webp$/.test(String(f)))
      .length
  const images = countImages()

  await age(id, '12 months', '12 months -1 day')
  await age(young, '12 months -1 day')
  await deleteOldMessages(app.db)
  assert.deepEqual([await statuses(id), await statuses(young)], [KEPT, KEPT])
  assert.equal((await app.visitor.get(url)).status, 200)

  await age(id, '13 months', '12 months 1 day')
  await deleteOldMessages(app.db)
  assert.deepEqual([await statuses(id), await statuses(young)], [GONE, KEPT])
  await cleanUpAttachments(app.context, 1)
  assert.equal((await app.visitor.get(url)).status, 404)
  assert.equal(countImages(), images - 1)
  for (const who of [owner, sender]) {
    const { items } = (await who.get('/api/notifications')).body
    assert.ok(!JSON.stringify(items).includes(id))
  }
  assert.equal((await app.db`select from outbox where ref_id = ${id}`).length, 0)
})

test('a message that only its sender still has goes too', async () => {
  const seller = await app.user()
  const vehicle = await app.vehicle(seller)
  const { body } = await sender.post('/api/messages', { plate: vehicle.plate, content: 'Hello' })
  assert.equal((await seller.delete(`/api/vehicles/${vehicle.id}`)).status, 204)
  assert.equal((await sender.get(`/api/messages/${body.id}`)).status, 200)
  await age(body.id, '12 months 1 day')
  await deleteOldMessages(app.db)
  assert.equal((await sender.get(`/api/messages/${body.id}`)).status, 404)
})
