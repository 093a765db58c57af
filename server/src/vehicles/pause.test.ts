import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Person, type TestResponse, testApp } from '../test/app.ts'
import {
  createAdmin,
  createTwoUsers,
  expireDocumentsDueDate,
  onlyVehicleOf,
  openChallenges,
  registerPlate,
  vehicleStates,
  waitForMail,
} from '../test/disputes.ts'
import { fieldsOf } from '../test/fields.ts'
import { settleOverdueDisputes } from './settle-overdue-disputes.ts'

// An owner who has paused a vehicle is not reached through it (decision quiet-hours), and loses nothing by it.

const app = await testApp()
const sender = await app.user()

const send = (plate: string, more: object = {}, who = sender) =>
  who.post('/api/messages', { plate, content: 'Your lights are on', ...more })
const setPaused = (who: Person, id: string, paused: unknown) => who.patch(`/api/vehicles/${id}`, { paused })
async function pause(who: Person) {
  const { status, body } = await setPaused(who, (await onlyVehicleOf(who)).id, true)
  assert.deepEqual([status, body.paused], [200, true])
}
/** Returns a response as the sender gets it: every byte but the time and the number of the request. */
const bytesOf = ({ status, headers, text }: TestResponse) => {
  const seen = [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name) && !/ratelimit/.test(name))
  return JSON.stringify([status, seen, text])
}

test('a paused vehicle answers senders as one that waits for verification, byte for byte, and again when resumed', async () => {
  const owner = await app.user()
  const { id, plate } = await app.vehicle(owner)
  const waiting = await app.vehicle(await app.user(), { status: 'pending_verification' })
  const { status, body } = await setPaused(owner, id, true)
  assert.equal(status, 200)
  assert.deepEqual(body, { ...(await onlyVehicleOf(owner)), status: 'active', paused: true })

  const refused = await send(plate)
  assert.deepEqual(refused.body, { error: 'That vehicle is not active yet.', code: 'vehicle_not_active' })
  assert.equal(bytesOf(refused), bytesOf(await send(waiting.plate)))
  for (const more of [{ province: 'Ontario' }, { reason: 'someone_inside' }])
    assert.equal(bytesOf(await send(plate, more)), bytesOf(await send(waiting.plate, more)))
  assert.equal((await send(plate, { province: 'Quebec' })).body.code, 'plate_not_registered')
  assert.equal((await send(plate, {}, owner)).body.code, 'own_vehicle')
  const { body: inbox } = await owner.get('/api/messages')
  assert.deepEqual(inbox.items, [])

  assert.equal((await setPaused(owner, id, true)).body.paused, true)
  assert.equal((await setPaused(owner, id, false)).body.paused, false)
  assert.equal((await send(plate)).status, 201)
})

test('a plate that one province has paused is that of the other, and needs no province until the pause ends', async () => {
  const [ontarian, quebecer] = await createTwoUsers(app)
  const one = await app.vehicle(ontarian, { plate: 'TWINS1', province: 'Ontario' })
  await app.vehicle(quebecer, { plate: 'TWINS1', province: 'Quebec' })
  const { body } = await send('TWINS1')
  assert.deepEqual([body.code, body.provinces], ['province_needed', ['Ontario', 'Quebec']])
  await setPaused(ontarian, one.id, true)
  assert.equal((await send('TWINS1')).status, 201)
  assert.equal((await quebecer.get('/api/messages')).body.items.length, 1)
  assert.equal((await ontarian.get('/api/messages')).body.items.length, 0)
  assert.equal((await send('TWINS1', { province: 'Ontario' })).body.code, 'vehicle_not_active')
  await setPaused(ontarian, one.id, false)
  assert.equal((await send('TWINS1')).body.code, 'province_needed')
})

test('nobody gets a paused plate more easily: it is challenged, defended and kept like any other', async () => {
  const [owner, challenger] = await createTwoUsers(app)
  await registerPlate(owner, 'ASLEEP1')
  await pause(owner)
  assert.equal((await registerPlate(challenger, 'ASLEEP1')).body.status, 'dispute_started')
  assert.deepEqual(await vehicleStates(owner, challenger), [
    'pending_verification, incumbent',
    'pending_verification, challenger',
  ])
  await expireDocumentsDueDate(
    app,
    (await openChallenges(app, 'ASLEEP1')).map(({ id }) => id),
  )
  await settleOverdueDisputes(app.context, new AbortController().signal)
  const kept = await onlyVehicleOf(owner)
  assert.deepEqual([kept.status, kept.paused], ['active', true])
  assert.equal((await send('ASLEEP1')).body.code, 'vehicle_not_active')
  const mail = await waitForMail(app, owner, 'Plate ASLEEP1 can receive messages again')
  assert.match(mail.text, /You paused this vehicle yourself\./)
})

test('an approval leaves the pause alone and says so, and admins see it', async () => {
  const owner = await app.user({ locale: 'fr-CA' })
  await registerPlate(owner, 'DORMIR1')
  await pause(owner)
  const admin = await createAdmin(app)
  const { id } = await onlyVehicleOf(owner)
  assert.equal((await admin.post(`/api/admin/vehicles/${id}/approve`)).status, 204)
  const { body: list } = await admin.get('/api/admin/vehicles?plate=DORMIR1')
  assert.deepEqual(fieldsOf(list.items, 'status', 'paused'), [['verified', true]])
  assert.equal((await send('DORMIR1')).body.code, 'vehicle_not_active')
  const mail = await waitForMail(app, owner, 'Votre plaque DORMIR1 est vérifiée')
  assert.match(mail.text, /Vous avez vous-même mis ce véhicule en pause\./)
})
