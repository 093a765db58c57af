import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Person, testApp } from '../test/app.ts'
import { admin, audited, challengesOf, letDatePass, only, pair, register, standing, trio } from '../test/disputes.ts'
import { settleOverdue } from './settle-overdue.ts'

const app = await testApp({ settings: { ROLE: 'web' } }) // no clock of its own
let boss: Person
before(async () => {
  boss = await admin(app)
})
after(() => app.close())

const mark = (disputeId: string, received: unknown, by = boss) =>
  by.patch(`/api/admin/disputes/${disputeId}`, { documents_received: received })
const disputed = async (plate: string) => {
  const [owner, challenger] = await pair(app)
  await register(owner, plate)
  await register(challenger, plate)
  const [dispute] = await challengesOf(app, plate)
  return { owner, challenger, disputeId: dispute!.id }
}

test('a challenge whose documents came waits for the admin, not for its date', async () => {
  const { owner, challenger, disputeId } = await disputed('PAPER1')
  const { status, body } = await mark(disputeId, true)
  assert.equal(status, 200)
  assert.ok(Math.abs(Date.parse(body.documents_received_at) - Date.now()) < 60_000)
  await letDatePass(app, [disputeId])
  assert.equal(await settleOverdue(app.parts), 0)
  assert.deepEqual(await standing(owner, challenger), [
    'pending_verification, incumbent',
    'pending_verification, challenger',
  ])
})

test('the note can be taken back, and then the date counts again', async () => {
  const { owner, challenger, disputeId } = await disputed('PAPER2')
  await mark(disputeId, true)
  await letDatePass(app, [disputeId])
  assert.equal((await mark(disputeId, false)).body.documents_received_at, null)
  assert.equal(await settleOverdue(app.parts), 1)
  assert.deepEqual(await standing(owner, challenger), ['active', 'rejected'])
})

test('noting what is noted changes nothing, and the log holds changes only', async () => {
  const { disputeId } = await disputed('PAPER3')
  await mark(disputeId, false)
  const first = await mark(disputeId, true)
  const second = await mark(disputeId, true)
  assert.equal(second.body.documents_received_at, first.body.documents_received_at)
  await mark(disputeId, false)
  const entry = { actor_email: boss.email, subject: 'PAPER3 · Ontario', reason: null }
  assert.deepEqual(await audited(boss, disputeId), [
    { ...entry, action: 'documents_received' },
    { ...entry, action: 'documents_not_received' },
  ])
})

test('a note at the moment of many others is one note', async () => {
  const { disputeId } = await disputed('PAPER4')
  const answers = await Promise.all(Array.from({ length: 8 }, () => mark(disputeId, true)))
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  assert.equal((await audited(boss, disputeId)).length, 1)
})

test('only the challenger whose documents did not come is rejected', async () => {
  const [owner, second, third] = await trio(app)
  for (const who of [owner, second, third]) await register(who, 'PAPER5')
  const disputes = await challengesOf(app, 'PAPER5')
  const ofThird = disputes.find(
    ({ challenger_vehicle_id }) => challenger_vehicle_id !== disputes[0]?.challenger_vehicle_id,
  )
  await mark(ofThird!.id, true)
  await letDatePass(
    app,
    disputes.map(({ id }) => id),
  )
  assert.equal(await settleOverdue(app.parts), 1)
  assert.deepEqual(await standing(owner, second, third), [
    'pending_verification, incumbent',
    'rejected',
    'pending_verification, challenger',
  ])
})

test('a dispute that has ended, malformed notes and others than admins are refused', async () => {
  const { owner, challenger, disputeId } = await disputed('PAPER6')
  assert.equal((await mark(disputeId, true, owner)).status, 403)
  assert.equal((await app.visitor.patch(`/api/admin/disputes/${disputeId}`, { documents_received: true })).status, 401)
  for (const wrong of ['yes', 1, null, undefined]) assert.equal((await mark(disputeId, wrong)).status, 400)
  await challenger.delete(`/api/vehicles/${(await only(challenger)).id}`)
  assert.equal((await mark(disputeId, true)).status, 404)
  assert.deepEqual(await audited(boss, disputeId), [])
})
