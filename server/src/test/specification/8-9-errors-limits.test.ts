import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { assertReads, list, register, registerPlate, send, sendTo } from './calls.ts'
import { PASSWORD, startWalk } from './walk.ts'

// Requirements §8 and §9, over HTTP. Texts that pages have of their own are checked in e2e, the lengths of plates and passwords in
// 5-validation.test.ts.

const walk = await startWalk()
after(() => walk.close())
const [owner, sender] = [await walk.person(), await walk.person()]

const signIn = (email: string, password = PASSWORD) =>
  walk.visitor().post('/auth/v1/token?grant_type=password', { email, password })

test('login: the error has a message', async () => {
  const { status, body } = await signIn(owner.email, 'Another-harbour-1')
  assert.deepEqual([status, body.msg], [400, 'Invalid login credentials'])
})

test('vehicle registration: the response has the error', async () => {
  await register(owner, 'ERROR1')
  await assertReads(
    (headers) => registerPlate(owner, 'ERROR1', {}, headers),
    409,
    "You've already registered this plate.",
  )
})

test('sending: That plate is not registered.', async () => {
  await assertReads((headers) => sendTo(sender, 'NOBODY1', 'Hello', headers), 404, 'That plate is not registered.')
})

test("sending: You can't send a message to your own vehicle.", async () => {
  const text = "You can't send a message to your own vehicle."
  await assertReads((headers) => sendTo(owner, 'ERROR1', 'Hello', headers), 409, text)
})

test('sending: message and notification are saved before the email step, so an email failure leaves them in place', async () => {
  const bouncing = await walk.person()
  await register(bouncing, 'ERROR2')
  walk.refuseMailsTo(bouncing.email)
  const id = await send(sender, 'ERROR2', 'Your door is open.')
  await walk.refusedMailTo(bouncing.email)
  const [message] = await list(bouncing, '/api/messages?view=received')
  assert.deepEqual([message.id, message.content], [id, 'Your door is open.'])
  const [notification] = await list(bouncing, '/api/notifications')
  assert.deepEqual([notification.type, notification.data.message_id], ['message_received', id])
})

const PROVINCES = [
  'Alberta',
  'British Columbia',
  'Manitoba',
  'New Brunswick',
  'Newfoundland and Labrador',
  'Nova Scotia',
  'Ontario',
  'Prince Edward Island',
  'Quebec',
  'Saskatchewan',
]

test('provinces: ten, and no other', async () => {
  const settled = await walk.person()
  for (const province of PROVINCES) await register(settled, 'LIMITS1', { province })
  const vehicles = await list(settled, '/api/vehicles')
  assert.deepEqual(vehicles.map(({ province }) => province).reverse(), PROVINCES)
  for (const province of ['Yukon', 'All Provinces', 'Québec']) {
    await assertReads(
      (headers) => registerPlate(settled, 'LIMITS2', { province }, headers),
      400,
      'Please choose a province.',
    )
  }
})

test('the dashboard shows 3 recent messages and 3 vehicles', async () => {
  const [receiver, sender] = [await walk.person(), await walk.person()]
  for (const plate of ['THREE1', 'THREE2', 'THREE3', 'THREE4']) await register(receiver, plate)
  for (const text of ['one', 'two', 'three', 'four']) await send(sender, 'THREE1', text)
  const { body } = await receiver.get('/api/dashboard')
  const contents = body.recent_messages.map(({ content }: { content: string }) => content)
  assert.deepEqual(contents, ['four', 'three', 'two'])
  assert.deepEqual(body.recent_messages, await list(receiver, '/api/messages?limit=3'))
  assert.deepEqual(body.recent_vehicles, await list(receiver, '/api/vehicles?limit=3'))
  const plates = body.recent_vehicles.map(({ plate }: { plate: string }) => plate)
  assert.deepEqual(plates, ['THREE4', 'THREE3', 'THREE2'])
  assert.deepEqual(
    [body.vehicles, body.messages],
    [
      { total: 4, this_month: 4 },
      { total: 4, this_month: 4, unread: 4 },
    ],
  )
})
