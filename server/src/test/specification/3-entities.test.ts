import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { CIVIC } from '../disputes.ts'
import { drawPng, uploadImage } from '../upload.ts'
import { list, register, send } from './calls.ts'
import { startWalk } from './walk.ts'

// Requirements §3, over HTTP. What an entity has for the server alone is not shown: whose a vehicle or a notification is follows from
// who asks (decision server-authorization), and nobody learns the id of a sender (decision mutual-anonymity).

const UUID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/

const walk = await startWalk()
after(() => walk.close())
const [owner, sender] = [await walk.person({ fullName: 'Sam Roy' }), await walk.person({ locale: 'fr-CA' })]

/** Asserts that the times of a record are of the last minutes. */
const assertRecent = (time: string) => assert.ok(Math.abs(Date.parse(time) - Date.now()) < 300_000, time)

test('vehicle: id, plate, make, model, registration_year, province, status, created_at', async () => {
  const { vehicle } = await register(owner, 'ENTITY1')
  const [shown] = await list(owner, '/api/vehicles')
  const { id, created_at, ...rest } = shown
  assert.match(id, UUID)
  assertRecent(created_at)
  assert.partialDeepStrictEqual(rest, { ...CIVIC, plate: 'ENTITY1', status: 'active' })
  assert.equal(id, vehicle.id)
})

test('message: id, content, inserted_at, is_read, image_url, reply, vehicle_id, and the plate of its vehicle', async () => {
  const [vehicle] = await list(owner, '/api/vehicles')
  const { body: image } = await uploadImage(sender, await drawPng())
  await send(sender, 'ENTITY1', 'See the photo.', { attachment_id: image.id })
  const [received] = await list(owner, '/api/messages?view=received')
  const { id, inserted_at, image_url, ...rest } = received
  assert.match(id, UUID)
  assertRecent(inserted_at)
  assert.match(image_url, /\/message-attachments\//)
  const content = 'See the photo.'
  assert.partialDeepStrictEqual(rest, {
    content,
    is_read: false,
    reply: null,
    vehicle_id: vehicle.id,
    plate: 'ENTITY1',
  })
  assert.equal((await owner.post(`/api/messages/${id}/reply`, { reply: 'Thank you' })).status, 200)
  const [sent] = await list(sender, '/api/messages?view=sent')
  assert.partialDeepStrictEqual(sent, { id, content, image_url, reply: 'Thank you', plate: 'ENTITY1' })
})

test('notification: id, type, data with plate and message_id or vehicle_id, is_read, created_at', async () => {
  for (const [who, type] of [
    [owner, 'message_received'],
    [sender, 'message_replied'],
  ] as const) {
    const [{ id, created_at, data, ...rest }] = await list(who, '/api/notifications')
    assert.match(id, UUID)
    assertRecent(created_at)
    assert.equal(rest.type, type)
    assert.equal(typeof rest.is_read, 'boolean')
    assert.deepEqual([data.plate, UUID.test(data.message_id)], ['ENTITY1', true])
  }
})
