import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { violatedConstraint } from '../db/pool.ts'
import { testApp } from '../test/app.ts'
import { createThreeUsers, onlyVehicleOf, openChallenges, registerPlate, vehicleStates } from '../test/disputes.ts'
import { TRANSITIONS, type Transition } from './state-machine.ts'

const app = await testApp({ settings: { ROLE: 'web' } })

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
  const statements: Record<string, Promise<unknown>> = {
    'pending without a dispute': db`update vehicles set status = 'pending_verification' where id = ${other.id}`,
    'an active incumbent': db`update vehicles set status = 'active' where id = ${incumbent.id}`,
    'a rejected challenger': db`update vehicles set status = 'rejected' where id = ${rival.id}`,
    'no dispute': db`delete from plate_disputes where id = ${disputeId}`,
    'no challenger': db`delete from vehicles where id = ${rival.id}`,
    'no owner': db`delete from auth.users where id = ${owner.id}`,
    'another incumbent': db`update plate_disputes set incumbent_vehicle_id = ${other.id} where id = ${disputeId}`,
    'another province': db`update plate_disputes set province = 'Quebec' where id = ${disputeId}`,
  }
  for (const [what, statement] of Object.entries(statements))
    await assert.rejects(statement, (error) => violatedConstraint(error) === 'dispute_state', what)
  assert.deepEqual(await vehicleStates(owner, challenger, free), [
    'pending_verification, incumbent',
    'pending_verification, challenger',
    'active',
  ])
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
