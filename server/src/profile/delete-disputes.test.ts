import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Person, testApp } from '../test/app.ts'
import { createAdmin, createThreeUsers, createTwoUsers, registerPlate, vehicleStates } from '../test/disputes.ts'

const app = await testApp()
after(() => app.close())

const remove = async (who: Person, by = who) => {
  const { status, text } = await by.post('/functions/v1/delete-user', { id: who.id })
  assert.equal(status, 200, text)
}
const canWrite = async (who: Person, plate: string) =>
  (await who.post('/api/messages', { plate, content: 'hello' })).status === 201

test('when the owner’s account is deleted, a lone challenger gets the plate and is informed', async () => {
  const [owner, challenger] = await createTwoUsers(app)
  await registerPlate(owner, 'GONE2')
  await registerPlate(challenger, 'GONE2')

  await remove(owner, await createAdmin(app))

  assert.deepEqual(await vehicleStates(challenger), ['active'])
  assert.ok(await canWrite(await app.user(), 'GONE2'))
  const [mail] = await app.mails(challenger.email, 2)
  assert.equal(mail?.subject, 'Your registration of plate GONE2 is now active')
  for (const value of [owner.id, owner.email]) assert.ok(!JSON.stringify(mail).includes(value))
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
