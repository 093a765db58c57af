import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Person, testApp } from '../test/app.ts'
import { admin, audited, mailKinds, mailWith, notices, only, pair, register, standing, trio } from '../test/disputes.ts'

const app = await testApp()
let boss: Person
before(async () => {
  boss = await admin(app)
})
after(() => app.close())

const remove = (vehicle: { id: string }) => boss.delete(`/api/admin/vehicles/${vehicle.id}`)

test('an admin removes a vehicle with its messages; the owner gets a notification and no mail', async () => {
  const [owner, sender] = await pair(app)
  await register(owner, 'AWAY-1')
  const vehicle = await only(owner)
  await sender.post('/api/messages', { plate: 'AWAY1', content: 'Your lights are on' })
  assert.equal((await remove(vehicle)).status, 204)

  assert.deepEqual(await standing(owner), ['none'])
  const items = (await owner.get('/api/notifications')).body.items
  assert.deepEqual(
    items.map(({ type, data }: { type: string; data: object }) => ({ type, data })),
    [{ type: 'vehicle_deleted', data: { plate: 'AWAY-1', vehicle_id: vehicle.id } }],
  )
  assert.deepEqual(await mailKinds(app, owner), [])
  assert.deepEqual((await sender.get('/api/messages?view=sent')).body.items, [])
  assert.equal((await sender.post('/api/messages', { plate: 'AWAY1', content: 'x' })).body.code, 'plate_not_registered')
  assert.deepEqual(await audited(boss, vehicle.id), [
    { actor_email: boss.email, action: 'vehicle_deleted', subject: 'AWAY-1 · Ontario', reason: null },
  ])
})

test('removing the challenger gives the plate back, and removing the owner gives it to the challenger', async () => {
  const [owner, challenger] = await pair(app)
  await register(owner, 'SIDE1')
  await register(challenger, 'SIDE1')
  await remove(await only(challenger))
  assert.deepEqual(await standing(owner, challenger), ['active', 'none'])
  await mailWith(app, owner, 'Your plate SIDE1 works again')
  assert.deepEqual(await notices(owner), [])

  await register(challenger, 'SIDE1')
  await remove(await only(owner))
  assert.deepEqual(await standing(owner, challenger), ['none', 'active'])
  await mailWith(app, challenger, 'The plate SIDE1 is yours now')
  assert.deepEqual(await notices(challenger), ['vehicle_deleted'])
})

test('removing the owner of a plate that two challenge lets their dispute go on', async () => {
  const [owner, second, third] = await trio(app)
  for (const who of [owner, second, third]) await register(who, 'SIDES1')
  await remove(await only(owner))
  assert.deepEqual(await standing(owner, second, third), [
    'none',
    'pending_verification, incumbent',
    'pending_verification, challenger',
  ])
})

test('a vehicle is removed once; others than admins remove none', async () => {
  const [owner, stranger] = await pair(app)
  await register(owner, 'ONCE1')
  const vehicle = await only(owner)
  const path = `/api/admin/vehicles/${vehicle.id}`
  assert.deepEqual(
    [(await owner.delete(path)).status, (await stranger.delete(path)).status, (await app.visitor.delete(path)).status],
    [403, 403, 401],
  )
  assert.deepEqual(await standing(owner), ['active'])
  assert.equal((await remove(vehicle)).status, 204)
  assert.deepEqual([(await remove(vehicle)).status, await notices(owner)], [404, ['vehicle_deleted']])
  assert.equal((await audited(boss, vehicle.id)).length, 1)
})
