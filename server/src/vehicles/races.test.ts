import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deleteAccount, type Person, type TestResponse, testApp } from '../test/app.ts'
import {
  countDeadlocks,
  createAdmin,
  createThreeUsers,
  createTwoUsers,
  createUsers,
  expireDocumentsDueDate,
  onlyVehicleOf,
  openChallenges,
  queuedMailKinds,
  registerPlate,
  vehicleNotificationTypes,
  vehicleStates,
} from '../test/disputes.ts'
import { runsAll } from '../test/runs-all.ts'
import { settleOverdueDisputes } from './settle-overdue-disputes.ts'

// Concurrent requests: the second sees what the first did, and no request fails.

const ROUNDS = runsAll ? 12 : 2

const app = await testApp({ settings: { ROLE: 'web' } }) // no jobs run: queued emails stay to be counted
const other = await testApp({ settings: { ROLE: 'web' }, sibling: app })
const adminUser = await createAdmin(app)
/** Another admin, whose requests go to the other process. */
const secondAdmin = await createAdmin(app).then(({ email, password }) => other.signIn(email, password))

const approve = (by: Person, id: string) => by.post(`/api/admin/vehicles/${id}/approve`)
const reject = (by: Person, id: string) => by.post(`/api/admin/vehicles/${id}/reject`, { reason: 'Not readable' })
const removeAsAdmin = (by: Person, id: string) => by.delete(`/api/admin/vehicles/${id}`)
const remove = (by: Person, id: string) => by.delete(`/api/vehicles/${id}`)

const codes = (responses: TestResponse[]) => responses.map(({ status }) => status).sort((a, b) => a - b)
const assertNoServerErrors = (responses: TestResponse[]) => {
  for (const { status, text } of responses) assert.ok(status < 500, text)
}

let plates = 0
/** Starts a dispute between two people about a new plate. */
async function startDispute([owner, challenger]: [Person, Person]) {
  const plate = `RACE${++plates}`
  await registerPlate(owner, plate)
  assert.equal((await registerPlate(challenger, plate)).body.status, 'dispute_started')
  const [incumbent, rival] = [await onlyVehicleOf(owner), await onlyVehicleOf(challenger)]
  return { plate, incumbent: incumbent.id as string, rival: rival.id as string }
}

/** Deletes what a round left, so that the same people can start again. */
async function clear(...everybody: Person[]): Promise<void> {
  const ids = everybody.map(({ id }) => id)
  for (const who of everybody) {
    const { body } = await who.get('/api/vehicles')
    for (const { id } of body.items) await remove(who, id)
  }
  await app.db`delete from challenges_started where user_id = any(${ids}::uuid[])`
  await app.db`delete from notifications where user_id = any(${ids}::uuid[])`
  await app.db`delete from outbox where recipient_id = any(${ids}::uuid[])`
}

const count = (list: string[], value: string) => list.filter((one) => one === value).length

test('of many people who register one plate concurrently one is the incumbent, and no request fails', async () => {
  const users = await createUsers(app, 16)
  const responses = await Promise.all(users.map((who) => registerPlate(who, 'CROWD')))
  assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([200]))
  assert.equal(responses.filter(({ body }) => body.status === 'registered').length, 1)
  const states = await vehicleStates(...users)
  assert.equal(states.filter((state) => state === 'pending_verification, incumbent').length, 1)
  assert.equal(states.filter((state) => state === 'pending_verification, challenger').length, 15)
  const [mails] = await app.db`
    select count(*) filter (where kind = 'dispute_incumbent')::int as incumbent,
      count(*) filter (where kind = 'dispute_challenger')::int as challenger
    from outbox where recipient_id = any(${users.map(({ id }) => id)})`
  assert.deepEqual({ ...mails }, { incumbent: 1, challenger: 15 })
})

test('a side of a dispute that is approved and rejected concurrently either got the plate first or lost it first', async () => {
  const [owner, challenger] = await createTwoUsers(app)
  for (let round = 0; round < ROUNDS; round++) {
    const { incumbent, rival } = await startDispute([owner, challenger])
    const [id, who, peer] = round % 2 === 0 ? [incumbent, owner, challenger] : [rival, challenger, owner]
    const [approved, rejected] = await Promise.all([approve(adminUser, id), reject(secondAdmin, id)])
    assert.equal(rejected.status, 204)
    if (approved.status === 204) {
      assert.deepEqual(await vehicleStates(who, peer), ['rejected', 'none'])
      assert.deepEqual(await vehicleNotificationTypes(who), ['vehicle_approved', 'vehicle_rejected'])
    } else {
      assert.equal(approved.body.code, 'plate_is_live')
      assert.deepEqual(await vehicleStates(who, peer), ['rejected', 'active'])
      assert.equal(count(await queuedMailKinds(app, peer), 'dispute_settled'), 1)
    }
    await clear(owner, challenger)
  }
})

test('of two admins who approve both sides concurrently one succeeds, and the other finds the vehicle deleted', async () => {
  const [owner, challenger] = await createTwoUsers(app)
  for (let round = 0; round < ROUNDS; round++) {
    const { incumbent, rival } = await startDispute([owner, challenger])
    const responses = await Promise.all([approve(adminUser, incumbent), approve(secondAdmin, rival)])
    assert.deepEqual(codes(responses), [204, 404])
    assert.deepEqual((await vehicleStates(owner, challenger)).toSorted(), ['none', 'verified'])
    assert.deepEqual(
      (await vehicleNotificationTypes(owner)).concat(await vehicleNotificationTypes(challenger)).toSorted(),
      ['vehicle_approved', 'vehicle_deleted'],
    )
    await clear(owner, challenger)
  }
})

test('messages to a vehicle that is being deleted arrive or are refused, and none is orphaned', async () => {
  const [seller, buyer, sender] = await createThreeUsers(app)
  for (let round = 0; round < ROUNDS; round++) {
    const plate = `GOING${round}`
    await registerPlate(seller, plate)
    await approve(adminUser, (await onlyVehicleOf(seller)).id)
    const question = await buyer.post('/api/messages', { plate, content: 'Is it for sale?' })
    await registerPlate(buyer, plate)
    const [sold, bought] = [await onlyVehicleOf(seller), await onlyVehicleOf(buyer)]
    const send = (by: Person) => by.post('/api/messages', { plate, content: 'Your lights are on' })
    const decide = round % 2 === 0 ? approve(adminUser, bought.id) : removeAsAdmin(adminUser, sold.id)
    const responses = await Promise.all([
      send(sender),
      send(buyer),
      decide,
      seller.post(`/api/messages/${question.body.id}/reply`, { reply: 'Yes' }),
      send(sender),
      seller.post('/api/notifications/read-all'),
      send(buyer),
    ])
    assertNoServerErrors(responses)
    assert.deepEqual(await vehicleStates(seller, buyer), ['none', round % 2 === 0 ? 'verified' : 'active'])
    const [orphans] = await app.db`
      select count(*)::int as messages from messages m
      where (m.vehicle_id is not null and not exists (select from vehicles v where v.id = m.vehicle_id))
        or (m.vehicle_id is null and exists (select from notifications n where n.message_id = m.id and n.type = 'message_received'))
        or (m.sender_id = ${buyer.id} and m.vehicle_id <> ${bought.id} and m.vehicle_id = ${sold.id})`
    assert.deepEqual({ ...orphans }, { messages: 0 })
    assert.equal(count(await vehicleNotificationTypes(seller), 'vehicle_deleted'), 1)
    await clear(seller, buyer)
  }
})

test('when the due date passes while an admin decides, the plate has one owner and each side is notified once', async () => {
  const [owner, challenger] = await createTwoUsers(app)
  for (let round = 0; round < ROUNDS; round++) {
    const { plate, rival } = await startDispute([owner, challenger])
    const ids = (await openChallenges(app, plate)).map(({ id }) => id)
    await expireDocumentsDueDate(app, ids)
    const [, approved, marked] = await Promise.all([
      settleOverdueDisputes(app.context),
      approve(secondAdmin, rival),
      adminUser.patch(`/api/admin/disputes/${ids[0]}`, { documents_received: true }),
      settleOverdueDisputes(other.context),
    ])
    assertNoServerErrors([approved, marked])
    if (approved.status === 204) {
      assert.deepEqual(await vehicleStates(owner, challenger), ['none', 'verified'])
      assert.deepEqual(await vehicleNotificationTypes(challenger), ['vehicle_approved'])
    } else {
      assert.equal(approved.body.code, 'plate_is_live')
      assert.deepEqual(await vehicleStates(owner, challenger), ['active', 'rejected'])
      assert.deepEqual(await vehicleNotificationTypes(challenger), ['vehicle_rejected'])
      assert.equal(count(await queuedMailKinds(app, owner), 'dispute_settled'), 1)
    }
    await clear(owner, challenger)
  }
})

test('when an account is deleted while an admin approves its vehicle, the other side has the plate, or nobody', async () => {
  const owner = await app.user()
  for (let round = 0; round < ROUNDS; round++) {
    const challenger = await app.user()
    const { rival } = await startDispute([owner, challenger])
    const [approved] = await Promise.all([approve(adminUser, rival), deleteAccount(challenger)])
    assertNoServerErrors([approved])
    const wasApproved = (await vehicleNotificationTypes(owner)).includes('vehicle_deleted')
    assert.deepEqual(await vehicleStates(owner), [wasApproved ? 'none' : 'active'])
    assert.equal(count(await queuedMailKinds(app, owner), 'dispute_settled'), wasApproved ? 0 : 1)
    await clear(owner)
  }
})

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
    for (let i = 0; i < (runsAll ? 40 : 12); i++) {
      const response = await act()
      if (response) responses.push(response)
      if (i % 10 === 0)
        await app.db`delete from challenges_started where user_id = any(${users.map(({ id }) => id)}::uuid[])`
    }
  }
  await Promise.all(Array.from({ length: 10 }, actor))

  for (const { status, text } of responses) assert.ok(status < 500, text)
  assert.ok(responses.filter(({ status }) => status < 300).length > 20)
  // all challengers wait, and the vehicle that has the plate is live unless a challenge pauses it (decision plate-disputes)
  const inconsistent = await app.db`
    with challenges as (
      select province, plate_key, count(*)::int as count, bool_or(pauses) as pauses from plate_disputes group by province, plate_key
    )
    select province, plate_key, c.count as challenges, c.pauses, v.live, v.pending
    from (
      select province, plate_key,
        count(*) filter (where is_live(status))::int as live,
        count(*) filter (where status = 'pending_verification')::int as pending
      from vehicles where status <> 'rejected' group by province, plate_key
    ) v
    full join challenges c using (province, plate_key)
    where (v.live, v.pending) is distinct from case
      when c.pauses then (0, c.count + 1)
      when c.count > 0 then (1, c.count)
      else (1, 0) end`
  assert.deepEqual([...inconsistent], [])
})

test('none of this caused a deadlock', async () => {
  assert.equal(await countDeadlocks(app, other), 0)
})
