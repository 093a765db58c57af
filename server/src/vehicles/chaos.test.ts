import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type TestResponse, testApp } from '../test/app.ts'
import { countDeadlocks, createAdmin, createUsers, expireDocumentsDueDate, registerPlate } from '../test/disputes.ts'
import { settleOverdueDisputes } from './settle-overdue-disputes.ts'

const app = await testApp({ settings: { ROLE: 'web' } })
const other = await testApp({ settings: { ROLE: 'web' }, sibling: app })
after(async () => {
  await other.close()
  await app.close()
})
const adminUser = await createAdmin(app)
/** Another admin, whose requests go to the other process. */
const secondAdmin = await createAdmin(app).then(({ email, password }) => other.signIn(email, password))

test('when everything happens concurrently no request fails, and every plate ends in a consistent state', async () => {
  const users = await createUsers(app, 8)
  const plates = ['CHAOS1', 'CHAOS2']
  const any = <T>(list: readonly T[]): T | undefined => list[Math.floor(Math.random() * list.length)]
  const someVehicle = async () =>
    any(await app.db<{ id: string; user_id: string }[]>`select id, user_id from vehicles where plate_key like 'CHAOS%'`)
  const someDispute = async () => any(await app.db<{ id: string }[]>`select id from plate_disputes`)
  const responses: TestResponse[] = []

  const act = async () => {
    const who = any(users)!
    const roll = Math.random()
    if (roll < 0.35) return registerPlate(who, any(plates)!)
    if (roll < 0.5) return who.post('/api/messages', { plate: any(plates), content: 'Your lights are on' })
    if (roll < 0.6) {
      const dispute = await someDispute()
      if (!dispute) return
      if (Math.random() < 0.5)
        return secondAdmin.patch(`/api/admin/disputes/${dispute.id}`, { documents_received: true })
      await expireDocumentsDueDate(app, [dispute.id])
      await settleOverdueDisputes(any([app, other])!.context)
      return
    }
    const vehicle = await someVehicle()
    if (!vehicle) return
    if (roll < 0.7) return any([adminUser, secondAdmin])!.post(`/api/admin/vehicles/${vehicle.id}/approve`)
    if (roll < 0.8)
      return any([adminUser, secondAdmin])!.post(`/api/admin/vehicles/${vehicle.id}/reject`, { reason: 'Blurred' })
    if (roll < 0.9) return any([adminUser, secondAdmin])!.delete(`/api/admin/vehicles/${vehicle.id}`)
    const owner = users.find(({ id }) => id === vehicle.user_id)
    return owner?.delete(`/api/vehicles/${vehicle.id}`)
  }
  const actor = async () => {
    for (let i = 0; i < 40; i++) {
      const response = await act()
      if (response) responses.push(response)
      if (i % 10 === 0)
        await app.db`delete from challenges_started where user_id = any(${users.map(({ id }) => id)}::uuid[])`
    }
  }
  await Promise.all(Array.from({ length: 10 }, actor))

  for (const { status, text } of responses) assert.ok(status < 500, text)
  assert.ok(responses.filter(({ status }) => status < 300).length > 50)
  const inconsistent = await app.db`
    select v.plate_key,
      count(*) filter (where is_live(v.status)) as live,
      count(*) filter (where v.status = 'pending_verification') as pending,
      (select count(*) from plate_disputes d where d.plate_key = v.plate_key) as challenges
    from vehicles v
    where v.plate_key like 'CHAOS%' and v.status <> 'rejected'
    group by v.plate_key
    having count(*) filter (where is_live(v.status)) > 1
      or count(*) - 1 <> (select count(*) from plate_disputes d where d.plate_key = v.plate_key)`
  assert.deepEqual([...inconsistent], [])
  assert.equal(await countDeadlocks(app, other), 0)
})
