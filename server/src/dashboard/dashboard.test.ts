import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Temporal } from 'temporal-polyfill'
import { type Person, testApp } from '../test/app.ts'
import { registerPlate } from '../test/disputes.ts'
import { sendMessage } from '../test/messages.ts'

const app = await testApp()

const dashboard = async (who: Person) => {
  const { status, body } = await who.get('/api/dashboard')
  assert.equal(status, 200)
  return body
}

test('active and verified vehicles are counted, and for this month approved ones too', async () => {
  const owner = await app.user()
  for (const status of ['active', 'verified', 'approved', 'pending_verification', 'rejected']) {
    await app.vehicle(owner, { status })
  }
  assert.deepEqual((await dashboard(owner)).vehicles, { total: 2, this_month: 3 })
})

test('a month begins at midnight in Toronto', async () => {
  const owner = await app.user()
  const [first, second] = [await app.vehicle(owner), await app.vehicle(owner)]
  const toronto = Temporal.Now.zonedDateTimeISO('America/Toronto')
  const start = toronto.with({ day: 1 }).startOfDay().toInstant()
  await app.db`update vehicles set created_at = ${start.toString()} where id = ${first.id}`
  await app.db`update vehicles set created_at = ${start.subtract({ milliseconds: 1 }).toString()} where id = ${second.id}`
  assert.deepEqual((await dashboard(owner)).vehicles, { total: 2, this_month: 1 })
})

test('messages received are counted, not those sent, and for this month those of this month', async () => {
  const [owner, sender] = [await app.user(), await app.user()]
  const { plate } = await app.vehicle(owner)
  const [read, old] = [await sendMessage(sender, plate), await sendMessage(sender, plate)]
  await sendMessage(sender, plate)
  assert.equal((await owner.patch(`/api/messages/${read}`, { is_read: true })).status, 200)
  await app.db`update messages set inserted_at = now() - interval '40 days' where id = ${old}`
  assert.deepEqual((await dashboard(owner)).messages, { total: 3, this_month: 2, unread: 2 })
  assert.deepEqual((await dashboard(sender)).messages, { total: 0, this_month: 0, unread: 0 })
})

test('a vehicle in dispute is shown to both sides, also when it is not among the latest three', async () => {
  const [owner, challenger] = [await app.user(), await app.user()]
  const disputed = await app.vehicle(owner)
  for (let i = 0; i < 3; i++) await app.vehicle(owner)
  assert.equal((await registerPlate(challenger, disputed.plate)).body.status, 'dispute_started')

  for (const [side, role] of [
    [owner, 'incumbent'],
    [challenger, 'challenger'],
  ] as const) {
    const { disputed_vehicles } = await dashboard(side)
    const { items } = (await side.get('/api/vehicles')).body
    assert.deepEqual(
      disputed_vehicles,
      items.filter(({ dispute }: { dispute: unknown }) => dispute !== null),
    )
    assert.deepEqual(
      disputed_vehicles.map(({ dispute }: { dispute: { role: string } }) => dispute.role),
      [role],
    )
  }
})

test('somebody who only sends is shown the message that was sent or replied to last, for a day without a reply', async () => {
  const [owner, sender] = [await app.user(), await app.user()]
  const { plate } = await app.vehicle(owner)
  const shown = async () => (await dashboard(sender)).sent?.id ?? null
  assert.equal(await shown(), null)
  const first = await sendMessage(sender, plate)
  const second = await sendMessage(sender, plate)
  assert.equal(await shown(), second)
  assert.equal((await owner.post(`/api/messages/${first}/reply`, { answer: 'coming' })).status, 200)
  assert.deepEqual((await dashboard(sender)).sent, (await sender.get('/api/messages?view=sent')).body.items[1])
  const third = await sendMessage(sender, plate)
  assert.equal(await shown(), third)
  await app.db`update messages set inserted_at = now() - interval '25 hours' where id = any(${[second, third]}::uuid[])`
  assert.equal(await shown(), first)

  assert.equal((await dashboard(owner)).sent, null)
  await app.vehicle(sender)
  assert.equal(await shown(), null)
})

test('a message of the last hour waits until somebody answers it, also when three newer ones are answered', async () => {
  const [owner, sender] = [await app.user(), await app.user()]
  const vehicle = await app.vehicle(owner)
  const [late, first, second] = [
    await sendMessage(sender, vehicle.plate),
    await sendMessage(sender, vehicle.plate),
    await sendMessage(sender, vehicle.plate),
  ]
  await app.db`update messages set inserted_at = now() - interval '61 minutes' where id = ${late}`
  assert.deepEqual((await dashboard(owner)).waiting, (await owner.get('/api/messages?limit=1')).body.items[0])

  const newer = [second, await sendMessage(sender, vehicle.plate), await sendMessage(sender, vehicle.plate)]
  for (const id of newer)
    assert.equal((await owner.post(`/api/messages/${id}/reply`, { answer: 'coming' })).status, 200)
  assert.equal((await dashboard(owner)).waiting.id, first)
  assert.equal((await owner.post(`/api/messages/${first}/reply`, { answer: 'coming' })).status, 200)
  for (const nobody of [owner, sender]) assert.equal((await dashboard(nobody)).waiting, null)
})
