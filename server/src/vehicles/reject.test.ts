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
  waitUntilMailsAreSent,
} from '../test/disputes.ts'
import { renderVehicleApproved, renderVehicleRejected } from './emails.ts'

const app = await testApp()
after(() => app.close())
const adminUser = await createAdmin(app)

const REASON = 'The registration names another plate.'
const approve = (vehicle: { id: string }) => adminUser.post(`/api/admin/vehicles/${vehicle.id}/approve`)
const reject = (vehicle: { id: string }, reason: unknown = REASON) =>
  adminUser.post(`/api/admin/vehicles/${vehicle.id}/reject`, { reason })

test('a rejected owner reads the reason, messages to the plate are refused, and it may be registered again', async () => {
  const [owner, sender] = await createTwoUsers(app)
  await registerPlate(owner, 'REJ-1')
  const vehicle = await onlyVehicleOf(owner)
  const { status, body } = await reject(vehicle)
  assert.deepEqual([status, body.vehicle.status], [200, 'rejected'])
  assert.deepEqual(await vehicleStates(owner), ['rejected'])
  const [notice] = (await owner.get('/api/notifications')).body.items
  assert.deepEqual([notice.type, notice.data], ['vehicle_rejected', { plate: 'REJ-1', vehicle_id: vehicle.id }])
  const mail = await waitForMail(app, owner, 'Your registration of plate REJ-1 was rejected')
  assert.ok(mail.text.includes(`> ${REASON}`), mail.text)
  assert.ok(mail.text.includes(`http://platenote.test/dashboard/vehicles#${vehicle.id}`), mail.text)
  // the email may be lost: the card says it too
  assert.equal((await onlyVehicleOf(owner)).reject_reason, REASON)
  assert.equal((await owner.get('/api/dashboard')).body.recent_vehicles[0].reject_reason, REASON)
  const sent = await sender.post('/api/messages', { plate: 'REJ1', content: 'x' })
  assert.equal(sent.body.code, 'vehicle_not_active')

  assert.equal((await registerPlate(owner, 'REJ1')).body.status, 'registered')
  assert.equal((await sender.post('/api/messages', { plate: 'REJ1', content: 'x' })).status, 201)
})

test('the reason is nowhere in the database in plain text', async () => {
  const owner = await app.user()
  await registerPlate(owner, 'SEALED1')
  await reject(await onlyVehicleOf(owner), 'Secretive reason')
  const rows = await app.db`
    select v::text from vehicles v union all select a::text from audit_log a union all select o::text from outbox o`
  const text = JSON.stringify(rows)
  assert.ok(!text.includes('Secretive') && !text.includes(Buffer.from('Secretive').toString('hex')))
  const [row] = await app.db`select reject_reason_encrypted from vehicles where plate_key = 'SEALED1'`
  assert.ok(row?.['reject_reason_encrypted'].length > 0)
})

test('rejecting the challenger returns the plate to its owner, who is informed by email', async () => {
  const [owner, challenger] = await createTwoUsers(app)
  await registerPlate(owner, 'HOLD-1')
  await registerPlate(challenger, 'HOLD1')
  for (const who of [owner, challenger]) await waitUntilMailsAreSent(app, who)
  await reject(await onlyVehicleOf(challenger))
  assert.deepEqual(await vehicleStates(owner, challenger), ['active', 'rejected'])
  const mail = await waitForMail(app, owner, 'Plate HOLD-1 can receive messages again')
  for (const value of [challenger.email, challenger.id, 'HOLD1', REASON]) assert.ok(!mail.text.includes(value), value)
  assert.deepEqual(await queuedMailKinds(app, owner), ['dispute_incumbent', 'dispute_settled'])
  assert.deepEqual(await vehicleNotificationTypes(owner), [])
  assert.deepEqual(await queuedMailKinds(app, challenger), ['dispute_challenger', 'vehicle_rejected'])
})

test('rejecting the owner of a plate gives it to a lone challenger, also if the owner was verified', async () => {
  for (const verified of [false, true]) {
    const [owner, challenger] = await createTwoUsers(app)
    const plate = verified ? 'FALL2' : 'FALL1'
    await registerPlate(owner, plate)
    if (verified) await approve(await onlyVehicleOf(owner))
    await registerPlate(challenger, plate)
    await reject(await onlyVehicleOf(owner))
    assert.deepEqual(await vehicleStates(owner, challenger), ['rejected', 'active'])
    await waitForMail(app, challenger, `Your registration of plate ${plate} is now active`)
    assert.deepEqual(await vehicleNotificationTypes(challenger), [])
  }
})

test('rejecting the owner of a plate that two people challenge lets their dispute go on without an email', async () => {
  const [owner, second, third] = await createThreeUsers(app)
  for (const who of [owner, second, third]) await registerPlate(who, 'ONWARD1')
  await reject(await onlyVehicleOf(owner))
  assert.deepEqual(await vehicleStates(owner, second, third), [
    'rejected',
    'pending_verification, incumbent',
    'pending_verification, challenger',
  ])
  for (const who of [second, third]) assert.deepEqual(await queuedMailKinds(app, who), ['dispute_challenger'])
})

test('a reason of at most a thousand characters is required', async () => {
  const owner = await app.user()
  await registerPlate(owner, 'WHY1')
  const vehicle = await onlyVehicleOf(owner)
  for (const reason of ['', ' \n\t', undefined, null, 7, 'x'.repeat(1001), 'a\0b']) {
    const { status, body } = await adminUser.post(`/api/admin/vehicles/${vehicle.id}/reject`, { reason })
    assert.deepEqual([status, Object.keys(body.fields ?? {})], [400, ['reason']], JSON.stringify(reason))
  }
  assert.deepEqual(await vehicleStates(owner), ['active'])
  assert.equal((await reject(vehicle, 'x'.repeat(1000))).status, 200)
})

test('a vehicle is rejected once, and an unknown one is not found', async () => {
  const owner = await app.user()
  await registerPlate(owner, 'NOPE1')
  const vehicle = await onlyVehicleOf(owner)
  await reject(vehicle)
  const again = await reject(vehicle, 'Another reason')
  assert.deepEqual([again.status, again.body.code], [409, 'already_rejected'])
  assert.equal((await reject({ id: '01900000-0000-7000-8000-000000000000' })).status, 404)
  assert.deepEqual(await auditEntries(adminUser, vehicle.id), [
    { actor_email: adminUser.email, action: 'vehicle_rejected', subject: 'NOPE1 · Ontario', reason: REASON },
  ])
  assert.deepEqual(await vehicleNotificationTypes(owner), ['vehicle_rejected'])
})

test('what an admin wrote stays text in the email: no markup, no link', async () => {
  const owner = await app.user({ locale: 'fr-CA' })
  await registerPlate(owner, 'INERT1')
  await reject(await onlyVehicleOf(owner), '<b>Voir</b> https://evil.example/\r\nBcc: x@example.com')
  const mail = await waitForMail(app, owner, 'Votre enregistrement de la plaque INERT1 a été refusé')
  assert.ok(mail.html.includes('&lt;b&gt;Voir&lt;/b&gt;'))
  assert.ok(!/href="[^"]*evil/.test(mail.html) && !mail.text.includes('https://evil.example'))
  assert.match(mail.text, /Le véhicule est à vous\? Vous pouvez enregistrer la plaque de nouveau/)
})

test('the email about a decision that was reversed before it was rendered is not sent', async () => {
  const [owner, stranger] = await createTwoUsers(app)
  await registerPlate(owner, 'UNDONE1')
  const { id } = await onlyVehicleOf(owner)
  const late = {
    id,
    kind: 'vehicle_rejected' as const,
    refId: id,
    recipientId: owner.id,
    to: owner.email,
    locale: 'en' as const,
    preferences: { email_messages: true, email_message_text: true },
    data: { vehicle_id: id },
  }
  await reject({ id })
  assert.equal(await renderVehicleApproved(app.context, late), null)
  assert.notEqual(await renderVehicleRejected(app.context, late), null)
  assert.equal(await renderVehicleRejected(app.context, { ...late, recipientId: stranger.id }), null)
  await approve({ id })
  assert.equal(await renderVehicleRejected(app.context, late), null)
  assert.notEqual(await renderVehicleApproved(app.context, late), null)
})
