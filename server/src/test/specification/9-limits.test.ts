import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { assertReads, list, register, registerPlate, send } from './calls.ts'
import { startWalk } from './walk.ts'

// Requirements §9, over HTTP. The lengths of plates and passwords are in 5-validation.test.ts.

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

const walk = await startWalk()
after(() => walk.close())
const owner = await walk.person()

test('provinces: ten, and no other', async () => {
  for (const province of PROVINCES) await register(owner, 'LIMITS1', { province })
  const vehicles = await list(owner, '/api/vehicles')
  assert.deepEqual(vehicles.map(({ province }) => province).reverse(), PROVINCES)
  for (const province of ['Yukon', 'All Provinces', 'Québec']) {
    await assertReads(
      (headers) => registerPlate(owner, 'LIMITS2', { province }, headers),
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

test('the session lasts an hour, and is refreshed before', async () => {
  const { body } = await owner.post('/auth/v1/token?grant_type=refresh_token', { refresh_token: owner.refreshToken })
  assert.equal(body.expires_in, 3600)
  assert.equal((await walk.withToken(body.access_token).get('/api/dashboard')).status, 200)
})
