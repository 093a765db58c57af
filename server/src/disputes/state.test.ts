import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { violatedConstraint } from '../db/pool.ts'
import { testApp } from '../test/app.ts'
import { createThreeUsers, onlyVehicleOf, openChallenges, registerPlate, vehicleStates } from '../test/disputes.ts'

const app = await testApp({ settings: { ROLE: 'web' } })
after(() => app.close())

const refused = (work: Promise<unknown>) =>
  assert.rejects(work, (error) => {
    assert.equal(violatedConstraint(error), 'dispute_state')
    return true
  })

test('no vehicle waits for a dispute that is not there, and no side of one stops waiting', async () => {
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

  await refused(db`update vehicles set status = 'pending_verification' where id = ${other.id}`)
  await refused(db`update vehicles set status = 'active' where id = ${incumbent.id}`)
  await refused(db`update vehicles set status = 'rejected' where id = ${rival.id}`)
  await refused(db`delete from plate_disputes where id = ${disputeId}`)
  await refused(db`delete from vehicles where id = ${rival.id}`)
  await refused(db`delete from auth.users where id = ${owner.id}`)
  await refused(db`update plate_disputes set incumbent_status = 'verified' where id = ${disputeId}`)
  await refused(db`update plate_disputes set incumbent_vehicle_id = ${other.id} where id = ${disputeId}`)
  await refused(db`update plate_disputes set province = 'Quebec' where id = ${disputeId}`)
  assert.deepEqual(await vehicleStates(owner, challenger, free), [
    'pending_verification, incumbent',
    'pending_verification, challenger',
    'active',
  ])
})

test('a plate has one incumbent, and nobody is both sides', async () => {
  const { db } = app
  const [owner, second, third] = await createThreeUsers(app)
  for (const who of [owner, second, third]) await registerPlate(who, 'STATE3')
  const [first, last] = await openChallenges(app, 'STATE3')
  const [secondId, thirdId] = [first!.challenger_vehicle_id, last!.challenger_vehicle_id]
  await refused(db`update plate_disputes set incumbent_vehicle_id = ${secondId} where id = ${last!.id}`)
  await refused(db`
    update plate_disputes set incumbent_status = 'approved' where challenger_vehicle_id = ${thirdId}`)
})

test('a reason stays with rejected vehicles only', async () => {
  const owner = await app.user()
  const { id } = await app.vehicle(owner)
  await assert.rejects(
    app.db`update vehicles set reject_reason_sealed = 'x' where id = ${id}`,
    (error) => violatedConstraint(error) === 'reasons_of_rejected_ones',
  )
})
