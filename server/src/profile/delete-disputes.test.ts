import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Person, testApp } from '../test/app.ts'
import {
  createAdmin,
  createThreeUsers,
  createTwoUsers,
  openChallenges,
  queuedMailKinds,
  registerPlate,
  vehicleStates,
} from '../test/disputes.ts'

const app = await testApp()
after(() => app.close())

const remove = async (who: Person, by = who) => {
  const { status, text } = await by.post('/functions/v1/delete-user', { id: who.id })
  assert.equal(status, 200, text)
}
const canWrite = async (who: Person, plate: string) =>
  (await who.post('/api/messages', { plate, content: 'hello' })).status === 201

test('when the challenger’s account is deleted, the plate works again for its owner, who is informed', async () => {
  const [owner, challenger] = await createTwoUsers(app)
  await registerPlate(owner, 'GONE1')
  await registerPlate(challenger, 'GONE1')
  assert.equal(await canWrite(challenger, 'GONE1'), false)

  await remove(challenger)

  assert.deepEqual(await vehicleStates(owner), ['active'])
  assert.equal((await openChallenges(app, 'GONE1')).length, 0)
  assert.ok(await canWrite(await app.user(), 'GONE1'))
  assert.equal((await queuedMailKinds(app, owner)).at(-1), 'dispute_settled')
})

test('when the owner’s account is deleted, a lone challenger gets the plate and is informed', async () => {
  const [owner, challenger] = await createTwoUsers(app)
  await registerPlate(owner, 'GONE2')
  await registerPlate(challenger, 'GONE2')

  await remove(owner, await createAdmin(app))

  assert.deepEqual(await vehicleStates(challenger), ['active'])
  assert.ok(await canWrite(await app.user(), 'GONE2'))
  const [mail] = await app.mails(challenger.email, 2)
  assert.match(mail?.subject ?? '', /GONE2/)
  for (const value of [owner.id, owner.email]) assert.ok(!JSON.stringify(mail).includes(value))
})

test('when the owner’s account is deleted and two people challenge, the dispute goes on between them', async () => {
  const [owner, second, third] = await createThreeUsers(app)
  for (const who of [owner, second, third]) await registerPlate(who, 'GONE3')

  await remove(owner)

  assert.deepEqual(await vehicleStates(second, third), [
    'pending_verification, incumbent',
    'pending_verification, challenger',
  ])
  assert.equal((await openChallenges(app, 'GONE3')).length, 1)
  assert.equal(await canWrite(await app.user(), 'GONE3'), false)

  await remove(third)
  assert.deepEqual(await vehicleStates(second), ['active'])
})

test('when a verified owner’s account is deleted, the challenger becomes active, not verified', async () => {
  const [owner, challenger] = await createTwoUsers(app)
  await app.vehicle(owner, { plate: 'GONE4', status: 'verified' })
  await registerPlate(challenger, 'GONE4')
  await remove(owner)
  assert.deepEqual(await vehicleStates(challenger), ['active'])
})

test('both sides of a dispute can delete their accounts at the same moment, also one who is in two disputes', async () => {
  for (let round = 0; round < 5; round++) {
    const [left, middle, right] = await createThreeUsers(app)
    await registerPlate(left, `PAIR${round}A`)
    await registerPlate(middle, `PAIR${round}B`)
    await registerPlate(middle, `PAIR${round}A`)
    await registerPlate(right, `PAIR${round}B`)
    await Promise.all([remove(left), remove(middle)])
    assert.deepEqual(await vehicleStates(right), ['active'])
    assert.equal((await app.db`select 1 from plate_disputes`).length, 0)
  }
})
