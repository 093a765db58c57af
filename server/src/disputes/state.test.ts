import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { violatedConstraint } from '../db/pool.ts'
import { testApp } from '../test/app.ts'
import { createThreeUsers, onlyVehicleOf, openChallenges, registerPlate, vehicleStates } from '../test/disputes.ts'
import { TRANSITIONS, type Transition } from './state-machine.ts'

const app = await testApp({ settings: { ROLE: 'web' } })

const assertRefused = (work: Promise<unknown>) =>
  assert.rejects(work, (error) => {
    assert.equal(violatedConstraint(error), 'dispute_state')
    return true
  })

test('no vehicle is pending without a dispute, and no side of a dispute stops being pending', async () => {
  const { db } = app
  const [owner, challenger, free] = await createThreeUsers(app)
  await registerPlate(owner, 'STATE1')
  await registerPlate(challenger, 'STATE1')
  await registerPlate(free, 'STATE2')
  const [incumbent, rival, other] = [
    await onlyVehicleOf(owner),
    await onlyVehicleOf(challenger),
    await onlyVehicleOf(free),
  ]
  const [dispute] = await openChallenges(app, 'STATE1')
  const disputeId = dispute!.id

  await assertRefused(db`update vehicles set status = 'pending_verification' where id = ${other.id}`)
  await assertRefused(db`update vehicles set status = 'active' where id = ${incumbent.id}`)
  await assertRefused(db`update vehicles set status = 'rejected' where id = ${rival.id}`)
  await assertRefused(db`delete from plate_disputes where id = ${disputeId}`)
  await assertRefused(db`delete from vehicles where id = ${rival.id}`)
  await assertRefused(db`delete from auth.users where id = ${owner.id}`)
  await assertRefused(db`update plate_disputes set incumbent_status = 'verified' where id = ${disputeId}`)
  await assertRefused(db`update plate_disputes set incumbent_vehicle_id = ${other.id} where id = ${disputeId}`)
  await assertRefused(db`update plate_disputes set province = 'Quebec' where id = ${disputeId}`)
  assert.deepEqual(await vehicleStates(owner, challenger, free), [
    'pending_verification, incumbent',
    'pending_verification, challenger',
    'active',
  ])
})

test('a plate has one incumbent, and no vehicle is on both sides', async () => {
  const { db } = app
  const [owner, second, third] = await createThreeUsers(app)
  for (const who of [owner, second, third]) await registerPlate(who, 'STATE3')
  const [first, last] = await openChallenges(app, 'STATE3')
  const [secondId, thirdId] = [first!.challenger_vehicle_id, last!.challenger_vehicle_id]
  await assertRefused(db`update plate_disputes set incumbent_vehicle_id = ${secondId} where id = ${last!.id}`)
  await assertRefused(db`
    update plate_disputes set incumbent_status = 'approved' where challenger_vehicle_id = ${thirdId}`)
})

test('only rejected vehicles have a reason', async () => {
  const owner = await app.user()
  const { id } = await app.vehicle(owner)
  await assert.rejects(
    app.db`update vehicles set reject_reason_encrypted = 'x' where id = ${id}`,
    (error) => violatedConstraint(error) === 'reasons_of_rejected_ones',
  )
})

// What the transitions do is written out in vehicles/dispute-cases.test.ts.

test('docs/disputes.md shows the table the code uses', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/disputes.md'), 'utf8')
  const formatNotices = ({ notification, mail }: { notification: string | null; mail: string | null }) =>
    `${notification ?? '–'} | ${mail ?? '–'}`
  for (const [name, transition] of Object.entries<Transition>(TRANSITIONS)) {
    const { by, from, on, itself, others, audit } = transition
    const row = [
      name,
      by,
      on.join(', '),
      from.join(', '),
      itself.vehicle,
      formatNotices(itself),
      others === 'settled' ? 'settled | – | –' : `${others.vehicle} | ${formatNotices(others)}`,
      audit ?? '–',
    ]
    assert.ok(page.includes(`| ${row.join(' | ')} |`), `docs/disputes.md needs the row | ${row.join(' | ')} |`)
  }
})
