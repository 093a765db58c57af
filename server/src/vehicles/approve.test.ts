import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Person, testApp } from '../test/app.ts'
import {
  auditEntries,
  createAdmin,
  createThreeUsers,
  createTwoUsers,
  onlyVehicleOf,
  openChallenges,
  queuedMailKinds,
  registerPlate,
  vehicleNotificationTypes,
  vehicleStates,
  waitForMail,
} from '../test/disputes.ts'
import { openStream } from '../test/event-stream.ts'
import { eventually } from '../test/eventually.ts'

const app = await testApp()
after(() => app.close())
const adminUser = await createAdmin(app)

const approve = (vehicle: { id: string }) => adminUser.post(`/api/admin/vehicles/${vehicle.id}/approve`)
const reject = (vehicle: { id: string }) =>
  adminUser.post(`/api/admin/vehicles/${vehicle.id}/reject`, { reason: 'Blurred' })

test('approving a challenger ends the dispute: its vehicle is verified and the others are deleted', async () => {
  const [owner, winner, third] = await createThreeUsers(app)
  await registerPlate(owner, 'WIN-1')
  await registerPlate(winner, 'WIN1')
  await registerPlate(third, 'W-I-N-1')
  const [lost, won] = [await onlyVehicleOf(owner), await onlyVehicleOf(winner)]
  const { status, body } = await approve(won)

  assert.equal(status, 200)
  assert.equal(body.deleted_peers, 2)
  assert.deepEqual([body.vehicle.id, body.vehicle.status, body.vehicle.dispute], [won.id, 'verified', null])
  assert.deepEqual(await vehicleStates(owner, winner, third), ['none', 'verified', 'none'])
  assert.deepEqual([...(await openChallenges(app, 'WIN1'))], [])

  const notifications = (await owner.get('/api/notifications')).body.items
  assert.deepEqual(
    notifications.map(({ type, data }: { type: string; data: object }) => ({ type, data })),
    [
      { type: 'vehicle_deleted', data: { plate: 'WIN-1', vehicle_id: lost.id } },
      { type: 'plate_disputed', data: { plate: 'WIN-1', vehicle_id: lost.id } },
    ],
  )
  assert.deepEqual(await vehicleNotificationTypes(third), ['vehicle_deleted'])
  assert.deepEqual(await vehicleNotificationTypes(winner), ['vehicle_approved'])
  assert.deepEqual(await queuedMailKinds(app, third), ['dispute_challenger', 'vehicle_deleted'])

  const removed = await waitForMail(app, owner, 'Your registration of plate WIN-1 was removed')
  assert.match(removed.text, /Another registration of this plate was verified/)
  assert.match(removed.text, /http:\/\/platenote\.test\/dashboard\/vehicles\n/)
  await waitForMail(app, third, 'Your registration of plate W-I-N-1 was removed')
  const verified = await waitForMail(app, winner, 'Your plate WIN1 is verified')
  assert.match(verified.text, /You’re now a Verified PlateNote User/)
  assert.ok(verified.text.includes(`http://platenote.test/dashboard/vehicles#${won.id}`), verified.text)

  assert.equal((await owner.post('/api/messages', { plate: 'win1', content: 'Your lights are on' })).status, 201)
  assert.equal((await winner.get('/api/messages?view=received')).body.items.length, 1)
})

test('approving the incumbent deletes the challengers, and nobody can pause the plate again', async () => {
  const [owner, challenger, late] = await createThreeUsers(app)
  await registerPlate(owner, 'KEEP1')
  await registerPlate(challenger, 'KEEP1')
  assert.equal((await approve(await onlyVehicleOf(owner))).body.deleted_peers, 1)
  assert.deepEqual(await vehicleStates(owner, challenger), ['verified', 'none'])
  assert.equal((await registerPlate(late, 'KEEP1')).body.status, 'dispute_started')
  assert.deepEqual(await vehicleStates(owner), ['verified, incumbent'])
})

test('approving the challenger of a verified vehicle deletes that vehicle with its messages, and the sender keeps a copy', async () => {
  const [seller, buyer, sender] = await createThreeUsers(app)
  await registerPlate(seller, 'SALE-1')
  assert.equal((await approve(await onlyVehicleOf(seller))).body.deleted_peers, 0)
  await sender.post('/api/messages', { plate: 'SALE1', content: 'Nice car' })
  await registerPlate(buyer, 'SALE1')
  assert.equal((await approve(await onlyVehicleOf(buyer))).body.deleted_peers, 1)
  assert.deepEqual(await vehicleStates(seller, buyer), ['none', 'verified'])
  assert.deepEqual(await vehicleNotificationTypes(seller), ['vehicle_approved', 'vehicle_deleted'])
  await waitForMail(app, seller, 'Your registration of plate SALE-1 was removed')
  for (const who of [seller, buyer]) {
    assert.deepEqual((await who.get('/api/messages?view=received')).body.items, [])
  }
  const { items } = (await sender.get('/api/messages?view=sent')).body
  assert.deepEqual(
    items.map(({ content }: { content: string }) => content),
    ['Nice car'],
  )
})

test('rejected vehicles of the plate are kept', async () => {
  const [owner, challenger, rejected] = await createThreeUsers(app)
  await registerPlate(rejected, 'STAY1')
  await reject(await onlyVehicleOf(rejected))
  await registerPlate(owner, 'STAY1')
  await registerPlate(challenger, 'STAY1')
  assert.equal((await approve(await onlyVehicleOf(owner))).body.deleted_peers, 1)
  assert.deepEqual(await vehicleStates(rejected), ['rejected'])
  assert.deepEqual(await vehicleNotificationTypes(rejected), ['vehicle_rejected'])
})

test('a rejected vehicle can be approved when its plate is free or in dispute, which ends the dispute', async () => {
  const [rejected, owner, challenger] = await createThreeUsers(app)
  await registerPlate(rejected, 'AGAIN1')
  await reject(await onlyVehicleOf(rejected))
  assert.equal((await approve(await onlyVehicleOf(rejected))).body.vehicle.status, 'verified')
  await reject(await onlyVehicleOf(rejected))

  await registerPlate(owner, 'AGAIN1')
  const refused = await approve(await onlyVehicleOf(rejected))
  assert.equal(refused.status, 409)
  assert.deepEqual(refused.body, {
    error: 'Another active vehicle has this plate. Reject or delete that one first.',
    code: 'plate_is_live',
  })
  assert.deepEqual(await vehicleStates(rejected, owner), ['rejected', 'active'])
  // while the plate is in dispute no vehicle is live
  await registerPlate(challenger, 'AGAIN1')
  assert.equal((await approve(await onlyVehicleOf(rejected))).body.deleted_peers, 2)
  assert.deepEqual(await vehicleStates(rejected, owner, challenger), ['verified', 'none', 'none'])
})

test('a rejected vehicle is not approved over a verified one that somebody else challenges', async () => {
  const [rejected, owner, challenger] = await createThreeUsers(app)
  await registerPlate(rejected, 'OVER1')
  await reject(await onlyVehicleOf(rejected))
  await registerPlate(owner, 'OVER1')
  await approve(await onlyVehicleOf(owner))
  await registerPlate(challenger, 'OVER1')
  assert.equal((await approve(await onlyVehicleOf(rejected))).body.code, 'plate_is_live')
  assert.deepEqual(await vehicleStates(rejected, owner, challenger), [
    'rejected',
    'verified, incumbent',
    'pending_verification, challenger',
  ])
  assert.deepEqual(await vehicleNotificationTypes(owner), ['vehicle_approved'])
})

test('a vehicle is approved once, and an unknown one is not found', async () => {
  const owner = await app.user()
  await registerPlate(owner, 'TWICE1')
  const vehicle = await onlyVehicleOf(owner)
  await approve(vehicle)
  const again = await approve(vehicle)
  assert.equal(again.status, 409)
  assert.deepEqual(again.body, { error: 'This vehicle is already verified.', code: 'already_verified' })
  assert.equal((await approve({ id: '01900000-0000-7000-8000-000000000000' })).status, 404)
  assert.deepEqual(await vehicleNotificationTypes(owner), ['vehicle_approved'])
  assert.deepEqual(await auditEntries(adminUser, vehicle.id), [
    { actor_email: adminUser.email, action: 'vehicle_approved', subject: 'TWICE1 · Ontario', reason: null },
  ])
})

test('only admins approve, and refused requests change nothing', async () => {
  const [owner, stranger] = await createTwoUsers(app)
  await registerPlate(owner, 'ONLY1')
  const vehicle = await onlyVehicleOf(owner)
  const path = `/api/admin/vehicles/${vehicle.id}/approve`
  assert.deepEqual(
    [(await owner.post(path)).status, (await stranger.post(path)).status, (await app.visitor.post(path)).status],
    [403, 403, 401],
  )
  assert.deepEqual(await vehicleStates(owner), ['active'])
  assert.deepEqual(await auditEntries(adminUser, vehicle.id), [])
})

test('each decision has its own email: approved, rejected and approved again', async () => {
  const owner = await app.user()
  await registerPlate(owner, 'FICKLE1')
  const vehicle = await onlyVehicleOf(owner)
  // one that is no longer true when its turn comes is not sent, so that each is awaited
  await approve(vehicle)
  await waitForMail(app, owner, 'Your plate FICKLE1 is verified')
  await reject(vehicle)
  await waitForMail(app, owner, 'Your registration of plate FICKLE1 was rejected')
  await approve(vehicle)
  assert.deepEqual(await vehicleNotificationTypes(owner), ['vehicle_approved', 'vehicle_rejected', 'vehicle_approved'])
  await eventually(async () => {
    const mails = await app.mails(owner.email)
    return mails.filter(({ subject }) => subject === 'Your plate FICKLE1 is verified').length === 2 || undefined
  })
  const [row] = await app.db`select reject_reason_encrypted from vehicles where id = ${vehicle.id}`
  assert.equal(row?.['reject_reason_encrypted'], null)
})

test('neither winner nor loser learns anything about the other', async () => {
  const loser = await app.user({ full_name: 'Loser Nameless' })
  const winner = await app.user({ full_name: 'Winner Nameless' })
  await registerPlate(loser, 'SHY-1')
  await registerPlate(winner, 'SHY1')
  const [lost, won] = [await onlyVehicleOf(loser), await onlyVehicleOf(winner)]
  await approve(won)
  await waitForMail(app, loser, 'Your registration of plate SHY-1 was removed')
  await waitForMail(app, winner, 'Your plate SHY1 is verified')
  const seen = async (who: Person) =>
    (await who.get('/api/notifications')).text +
    (await who.get('/api/vehicles')).text +
    JSON.stringify(await app.mails(who.email))
  const [byLoser, byWinner] = [await seen(loser), await seen(winner)]
  for (const value of [winner.id, winner.email, 'Winner Nameless', won.id, 'SHY1', adminUser.id, adminUser.email])
    assert.ok(!byLoser.includes(value), value)
  for (const value of [loser.id, loser.email, 'Loser Nameless', lost.id, 'SHY-1', adminUser.id, adminUser.email])
    assert.ok(!byWinner.includes(value), value)
})

test('the emails come in French to people who chose French', async () => {
  const loser = await app.user({ locale: 'fr-CA' })
  const winner = await app.user({ locale: 'fr-CA' })
  await registerPlate(loser, 'MOTS1')
  await registerPlate(winner, 'MOTS1')
  await approve(await onlyVehicleOf(winner))
  const verified = await waitForMail(app, winner, 'Votre plaque MOTS1 est vérifiée')
  assert.match(verified.text, /votre compte PlateNote est vérifié/)
  assert.match(verified.text, /http:\/\/platenote\.test\/fr\/dashboard\/vehicles#/)
  const removed = await waitForMail(app, loser, 'Votre enregistrement de la plaque MOTS1 a été supprimé')
  assert.match(removed.text, /Un autre enregistrement de cette plaque a été vérifié/)
})

test('an open page is notified immediately', async () => {
  const owner = await app.user()
  await registerPlate(owner, 'PROMPT1')
  const stream = await openStream(app.url, owner.token)
  await approve(await onlyVehicleOf(owner))
  const event = await stream.next(({ data }) => data.includes('vehicle_approved'))
  assert.equal(JSON.parse(event.data).data.plate, 'PROMPT1')
  await stream.close()
})
