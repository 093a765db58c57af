import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '../test/app.ts'
import {
  createAdmin,
  createTwoUsers,
  onlyVehicleOf,
  registerPlate,
  vehicleNotificationTypes,
  waitForMail,
} from '../test/disputes.ts'
import { eventually } from '../test/eventually.ts'
import { renderVehicleApproved, renderVehicleRejected } from './emails.ts'

// What an admin decides about a vehicle and notes about a dispute. What it does to the sides of a dispute is in dispute-cases.test.ts.

const app = await testApp()
const adminUser = await createAdmin(app)

const REASON = 'The registration names another plate.'
const approve = (vehicle: { id: string }) => adminUser.post(`/api/admin/vehicles/${vehicle.id}/approve`)
const reject = (vehicle: { id: string }, reason: unknown = REASON) =>
  adminUser.post(`/api/admin/vehicles/${vehicle.id}/reject`, { reason })

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
    preferences: { email_messages: true, email_message_text: true, email_answers: true },
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

test('each decision has its own email: approved, rejected and approved again', async () => {
  const owner = await app.user()
  await registerPlate(owner, 'FICKLE1')
  const vehicle = await onlyVehicleOf(owner)
  // one that is no longer true when its turn comes is not sent, so that each is awaited
  await approve(vehicle)
  await waitForMail(app, owner, 'Your plate FICKLE1 is verified')
  await reject(vehicle)
  const mail = await waitForMail(app, owner, 'Your registration of plate FICKLE1 was rejected')
  assert.ok(mail.text.includes(`http://platenote.test/dashboard/vehicles#${vehicle.id}`), mail.text)
  // the email may be lost: the card says it too
  assert.equal((await onlyVehicleOf(owner)).reject_reason, REASON)
  assert.equal((await owner.get('/api/dashboard')).body.recent_vehicles[0].reject_reason, REASON)
  await approve(vehicle)
  assert.deepEqual(await vehicleNotificationTypes(owner), ['vehicle_approved', 'vehicle_rejected', 'vehicle_approved'])
  await eventually(async () => {
    const mails = await app.mails(owner.email)
    return mails.filter(({ subject }) => subject === 'Your plate FICKLE1 is verified').length === 2 || undefined
  })
  const [row] = await app.db`select reject_reason_encrypted from vehicles where id = ${vehicle.id}`
  assert.equal(row?.['reject_reason_encrypted'], null)
})
