import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '../test/app.ts'
import {
  auditEntries,
  createAdmin,
  createThreeUsers,
  createTwoUsers,
  onlyVehicleOf,
  queuedMailKinds,
  registerPlate,
  vehicleNotificationTypes,
  vehicleStates,
  waitForMail,
} from '../test/disputes.ts'

const app = await testApp()
after(() => app.close())
const adminUser = await createAdmin(app)

const remove = (vehicle: { id: string }) => adminUser.delete(`/api/admin/vehicles/${vehicle.id}`)

test('an admin deletes a vehicle; its sender keeps the message, the owner gets a notification and no email', async () => {
  const [owner, sender] = await createTwoUsers(app)
  await registerPlate(owner, 'AWAY-1')
  const vehicle = await onlyVehicleOf(owner)
  await sender.post('/api/messages', { plate: 'AWAY1', content: 'Your lights are on' })
  assert.equal((await remove(vehicle)).status, 204)

  assert.deepEqual(await vehicleStates(owner), ['none'])
  const items = (await owner.get('/api/notifications')).body.items
  assert.deepEqual(
    items.map(({ type, data }: { type: string; data: object }) => ({ type, data })),
    [{ type: 'vehicle_deleted', data: { plate: 'AWAY-1', vehicle_id: vehicle.id } }],
  )
  assert.deepEqual(await queuedMailKinds(app, owner), [])
  assert.equal((await sender.get('/api/messages?view=sent')).body.items.length, 1)
  assert.equal((await sender.post('/api/messages', { plate: 'AWAY1', content: 'x' })).body.code, 'plate_not_registered')
  assert.deepEqual(await auditEntries(adminUser, vehicle.id), [
    { actor_email: adminUser.email, action: 'vehicle_deleted', subject: 'AWAY-1 · Ontario', reason: null },
  ])
})

test('deleting the challenger’s vehicle returns the plate, and deleting the owner’s gives it to the challenger', async () => {
  const [owner, challenger] = await createTwoUsers(app)
  await registerPlate(owner, 'SIDE1')
  await registerPlate(challenger, 'SIDE1')
  await remove(await onlyVehicleOf(challenger))
  assert.deepEqual(await vehicleStates(owner, challenger), ['active', 'none'])
  await waitForMail(app, owner, 'Plate SIDE1 can receive messages again')
  assert.deepEqual(await vehicleNotificationTypes(owner), [])

  await registerPlate(challenger, 'SIDE1')
  await remove(await onlyVehicleOf(owner))
  assert.deepEqual(await vehicleStates(owner, challenger), ['none', 'active'])
  await waitForMail(app, challenger, 'Your registration of plate SIDE1 is now active')
  assert.deepEqual(await vehicleNotificationTypes(challenger), ['vehicle_deleted'])
})

test('deleting the owner’s vehicle while two challenge its plate lets their dispute go on', async () => {
  const [owner, second, third] = await createThreeUsers(app)
  for (const who of [owner, second, third]) await registerPlate(who, 'SIDES1')
  await remove(await onlyVehicleOf(owner))
  assert.deepEqual(await vehicleStates(owner, second, third), [
    'none',
    'pending_verification, incumbent',
    'pending_verification, challenger',
  ])
})

test('a vehicle is deleted once, and by admins only', async () => {
  const [owner, stranger] = await createTwoUsers(app)
  await registerPlate(owner, 'ONCE1')
  const vehicle = await onlyVehicleOf(owner)
  const path = `/api/admin/vehicles/${vehicle.id}`
  assert.deepEqual(
    [(await owner.delete(path)).status, (await stranger.delete(path)).status, (await app.visitor.delete(path)).status],
    [403, 403, 401],
  )
  assert.deepEqual(await vehicleStates(owner), ['active'])
  assert.equal((await remove(vehicle)).status, 204)
  assert.deepEqual([(await remove(vehicle)).status, await vehicleNotificationTypes(owner)], [404, ['vehicle_deleted']])
  assert.equal((await auditEntries(adminUser, vehicle.id)).length, 1)
})
