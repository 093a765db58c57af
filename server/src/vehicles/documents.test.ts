import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '../test/app.ts'
import {
  auditEntries,
  createAdmin,
  createThreeUsers,
  createTwoUsers,
  expireDocumentsDueDate,
  onlyVehicleOf,
  openChallenges,
  registerPlate,
  vehicleStates,
} from '../test/disputes.ts'
import { settleOverdueDisputes } from './settle-overdue-disputes.ts'

const app = await testApp({ settings: { ROLE: 'web' } }) // runs no jobs: the test settles overdue disputes
after(() => app.close())
const adminUser = await createAdmin(app)

const mark = (disputeId: string, received: unknown, by = adminUser) =>
  by.patch(`/api/admin/disputes/${disputeId}`, { documents_received: received })
const disputed = async (plate: string) => {
  const [owner, challenger] = await createTwoUsers(app)
  await registerPlate(owner, plate)
  await registerPlate(challenger, plate)
  const [dispute] = await openChallenges(app, plate)
  return { owner, challenger, disputeId: dispute!.id }
}

test('a challenge whose documents were received waits for an admin, not for its due date', async () => {
  const { owner, challenger, disputeId } = await disputed('PAPER1')
  const { status, body } = await mark(disputeId, true)
  assert.equal(status, 200)
  assert.ok(Math.abs(Date.parse(body.documents_received_at) - Date.now()) < 60_000)
  await expireDocumentsDueDate(app, [disputeId])
  assert.equal(await settleOverdueDisputes(app.context), 0)
  assert.deepEqual(await vehicleStates(owner, challenger), [
    'pending_verification, incumbent',
    'pending_verification, challenger',
  ])
})

test('documents can be unmarked, and then the due date counts again', async () => {
  const { owner, challenger, disputeId } = await disputed('PAPER2')
  await mark(disputeId, true)
  await expireDocumentsDueDate(app, [disputeId])
  assert.equal((await mark(disputeId, false)).body.documents_received_at, null)
  assert.equal(await settleOverdueDisputes(app.context), 1)
  assert.deepEqual(await vehicleStates(owner, challenger), ['active', 'rejected'])
})

test('marking the current state again changes nothing, and the log contains changes only', async () => {
  const { disputeId } = await disputed('PAPER3')
  await mark(disputeId, false)
  const first = await mark(disputeId, true)
  const second = await mark(disputeId, true)
  assert.equal(second.body.documents_received_at, first.body.documents_received_at)
  await mark(disputeId, false)
  const entry = { actor_email: adminUser.email, subject: 'PAPER3 · Ontario', reason: null }
  assert.deepEqual(await auditEntries(adminUser, disputeId), [
    { ...entry, action: 'documents_received' },
    { ...entry, action: 'documents_not_received' },
  ])
})

test('concurrent marks are recorded once', async () => {
  const { disputeId } = await disputed('PAPER4')
  const responses = await Promise.all(Array.from({ length: 8 }, () => mark(disputeId, true)))
  assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([200]))
  assert.equal((await auditEntries(adminUser, disputeId)).length, 1)
})

test('only the challenger whose documents were not received is rejected', async () => {
  const [owner, second, third] = await createThreeUsers(app)
  for (const who of [owner, second, third]) await registerPlate(who, 'PAPER5')
  const disputes = await openChallenges(app, 'PAPER5')
  const ofThird = disputes.find(
    ({ challenger_vehicle_id }) => challenger_vehicle_id !== disputes[0]?.challenger_vehicle_id,
  )
  await mark(ofThird!.id, true)
  await expireDocumentsDueDate(
    app,
    disputes.map(({ id }) => id),
  )
  assert.equal(await settleOverdueDisputes(app.context), 1)
  assert.deepEqual(await vehicleStates(owner, second, third), [
    'pending_verification, incumbent',
    'rejected',
    'pending_verification, challenger',
  ])
})

test('ended disputes, malformed input and callers who are not admins are refused', async () => {
  const { owner, challenger, disputeId } = await disputed('PAPER6')
  assert.equal((await mark(disputeId, true, owner)).status, 403)
  assert.equal((await app.visitor.patch(`/api/admin/disputes/${disputeId}`, { documents_received: true })).status, 401)
  for (const wrong of ['yes', 1, null, undefined]) assert.equal((await mark(disputeId, wrong)).status, 400)
  await challenger.delete(`/api/vehicles/${(await onlyVehicleOf(challenger)).id}`)
  assert.equal((await mark(disputeId, true)).status, 404)
  assert.deepEqual(await auditEntries(adminUser, disputeId), [])
})
