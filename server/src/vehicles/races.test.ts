import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Answer, type Person, testApp } from '../test/app.ts'
import {
  admin,
  challengesOf,
  deadlocks,
  letDatePass,
  mailKinds,
  notices,
  only,
  pair,
  people,
  register,
  standing,
  trio,
} from '../test/disputes.ts'
import { settleOverdue } from './settle-overdue.ts'

// Everything at the same moment: whoever comes second sees what the first did, and nobody meets a fault.

const ROUNDS = 12

const app = await testApp({ settings: { ROLE: 'web' } }) // no mails leave: their rows stay to be counted
const other = await testApp({ settings: { ROLE: 'web' }, beside: app })
let boss: Person
let second: Person
before(async () => {
  boss = await admin(app)
  // another admin, who works on another process
  const colleague = await admin(app)
  second = await other.signIn(colleague.email, colleague.password)
})
after(async () => {
  await other.close()
  await app.close()
})

const approve = (by: Person, id: string) => by.post(`/api/admin/vehicles/${id}/approve`)
const reject = (by: Person, id: string) => by.post(`/api/admin/vehicles/${id}/reject`, { reason: 'Not readable' })
const removeAsAdmin = (by: Person, id: string) => by.delete(`/api/admin/vehicles/${id}`)
const remove = (by: Person, id: string) => by.delete(`/api/vehicles/${id}`)
const leave = (who: Person) => who.post('/functions/v1/delete-user', { id: who.id })

const codes = (answers: Answer[]) => answers.map(({ status }) => status).sort((a, b) => a - b)
const only4xx = (answers: Answer[]) => {
  for (const { status, text } of answers) assert.ok(status < 500, text)
}

let plates = 0
/** A plate in dispute between two people. */
async function duel([owner, challenger]: [Person, Person]) {
  const plate = `RACE${++plates}`
  await register(owner, plate)
  assert.equal((await register(challenger, plate)).body.status, 'dispute_started')
  const [incumbent, rival] = [await only(owner), await only(challenger)]
  return { plate, incumbent: incumbent.id as string, rival: rival.id as string }
}

/** Takes away what a round left, so that the same people can begin anew. */
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

const count = (list: string[], wanted: string) => list.filter((one) => one === wanted).length

test('of fifty people who register one plate at once one is the incumbent, and nobody meets a fault', async () => {
  const crowd = await people(app, 50)
  const answers = await Promise.all(crowd.map((who) => register(who, 'CROWD50')))
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  assert.equal(answers.filter(({ body }) => body.status === 'registered').length, 1)
  const standings = await standing(...crowd)
  assert.equal(standings.filter((s) => s === 'pending_verification, incumbent').length, 1)
  assert.equal(standings.filter((s) => s === 'pending_verification, challenger').length, 49)
  const [mails] = await app.db`
    select count(*) filter (where kind = 'dispute_incumbent')::int as incumbent,
      count(*) filter (where kind = 'dispute_challenger')::int as challenger
    from outbox where recipient_id = any(${crowd.map(({ id }) => id)})`
  assert.deepEqual({ ...mails }, { incumbent: 1, challenger: 49 })
})

test('of many who approve one vehicle at once one does', async () => {
  const owner = await app.user()
  for (let round = 0; round < ROUNDS; round++) {
    await register(owner, `SOLO${round}`)
    const { id } = await only(owner)
    const answers = await Promise.all([boss, second, boss, second].map((by) => approve(by, id)))
    assert.deepEqual(codes(answers), [200, 409, 409, 409])
    assert.deepEqual(await notices(owner), ['vehicle_approved'])
    assert.deepEqual(await mailKinds(app, owner), ['vehicle_approved'])
    await clear(owner)
  }
})

test('approved and rejected at once, a vehicle is what the later decision says', async () => {
  const owner = await app.user()
  for (let round = 0; round < ROUNDS; round++) {
    await register(owner, `BOTH${round}`)
    const { id } = await only(owner)
    assert.deepEqual(codes(await Promise.all([approve(boss, id), reject(second, id)])), [200, 200])
    const told = await notices(owner)
    assert.deepEqual(told.toSorted(), ['vehicle_approved', 'vehicle_rejected'])
    assert.deepEqual(await standing(owner), [told.at(-1) === 'vehicle_approved' ? 'verified' : 'rejected'])
    await clear(owner)
  }
})

test('approved and rejected at once, a side of a dispute either took the plate first or lost it first', async () => {
  const [owner, challenger] = await pair(app)
  for (let round = 0; round < ROUNDS; round++) {
    const { incumbent, rival } = await duel([owner, challenger])
    const [id, who, peer] = round % 2 === 0 ? [incumbent, owner, challenger] : [rival, challenger, owner]
    const [approved, rejected] = await Promise.all([approve(boss, id), reject(second, id)])
    assert.equal(rejected.status, 200)
    if (approved.status === 200) {
      assert.deepEqual(await standing(who, peer), ['rejected', 'none'])
      assert.deepEqual(await notices(who), ['vehicle_approved', 'vehicle_rejected'])
    } else {
      assert.equal(approved.body.code, 'plate_is_live')
      assert.deepEqual(await standing(who, peer), ['rejected', 'active'])
      assert.equal(count(await mailKinds(app, peer), 'dispute_settled'), 1)
    }
    await clear(owner, challenger)
  }
})

test('of two admins who approve both sides one does, and the other finds the vehicle gone', async () => {
  const [owner, challenger] = await pair(app)
  for (let round = 0; round < ROUNDS; round++) {
    const { incumbent, rival } = await duel([owner, challenger])
    const answers = await Promise.all([approve(boss, incumbent), approve(second, rival)])
    assert.deepEqual(codes(answers), [200, 404])
    assert.deepEqual((await standing(owner, challenger)).toSorted(), ['none', 'verified'])
    assert.deepEqual((await notices(owner)).concat(await notices(challenger)).toSorted(), [
      'vehicle_approved',
      'vehicle_deleted',
    ])
    await clear(owner, challenger)
  }
})

test('both sides rejected at once are both rejected, and the dispute is over', async () => {
  const [owner, challenger] = await pair(app)
  for (let round = 0; round < ROUNDS; round++) {
    const { plate, incumbent, rival } = await duel([owner, challenger])
    assert.deepEqual(codes(await Promise.all([reject(boss, incumbent), reject(second, rival)])), [200, 200])
    assert.deepEqual(await standing(owner, challenger), ['rejected', 'rejected'])
    assert.equal((await challengesOf(app, plate)).length, 0)
    for (const who of [owner, challenger]) assert.deepEqual(await notices(who), ['vehicle_rejected'])
    await clear(owner, challenger)
  }
})

test('an owner who leaves the plate while an admin approves the vehicle loses it once', async () => {
  const [owner, challenger] = await pair(app)
  for (let round = 0; round < ROUNDS; round++) {
    const { incumbent } = await duel([owner, challenger])
    const [approved, removed] = await Promise.all([approve(boss, incumbent), remove(owner, incumbent)])
    only4xx([approved, removed])
    assert.equal(removed.status, 204)
    const wasApproved = (await notices(owner)).includes('vehicle_approved')
    assert.deepEqual(await standing(owner, challenger), ['none', wasApproved ? 'none' : 'active'])
    assert.deepEqual(await notices(challenger), wasApproved ? ['vehicle_deleted'] : [])
    await clear(owner, challenger)
  }
})

test('messages to a vehicle that goes in this moment arrive or are refused, and none is left behind', async () => {
  const [seller, buyer, sender] = await trio(app)
  for (let round = 0; round < ROUNDS; round++) {
    const plate = `GOING${round}`
    await register(seller, plate)
    await approve(boss, (await only(seller)).id)
    const asked = await buyer.post('/api/messages', { plate, content: 'Is it for sale?' })
    await register(buyer, plate)
    const [sold, bought] = [await only(seller), await only(buyer)]
    const send = (by: Person) => by.post('/api/messages', { plate, content: 'Your lights are on' })
    const decide = round % 2 === 0 ? approve(boss, bought.id) : removeAsAdmin(boss, sold.id)
    const answers = await Promise.all([
      send(sender),
      send(buyer),
      decide,
      seller.post(`/api/messages/${asked.body.id}/reply`, { reply: 'Yes' }),
      send(sender),
      seller.post('/api/notifications/read-all'),
      send(buyer),
    ])
    only4xx(answers)
    assert.deepEqual(await standing(seller, buyer), ['none', round % 2 === 0 ? 'verified' : 'active'])
    const [orphans] = await app.db`
      select count(*)::int as messages from messages m
      where not exists (select from vehicles v where v.id = m.vehicle_id)
        or (m.sender_id = ${buyer.id} and m.vehicle_id <> ${bought.id} and m.vehicle_id = ${sold.id})`
    assert.deepEqual({ ...orphans }, { messages: 0 })
    assert.equal(count(await notices(seller), 'vehicle_deleted'), 1)
    await clear(seller, buyer)
  }
})

test('the date passes while an admin decides: the plate has one owner, and each is told once', async () => {
  const [owner, challenger] = await pair(app)
  for (let round = 0; round < ROUNDS; round++) {
    const { plate, rival } = await duel([owner, challenger])
    const ids = (await challengesOf(app, plate)).map(({ id }) => id)
    await letDatePass(app, ids)
    const [, approved, marked] = await Promise.all([
      settleOverdue(app.parts),
      approve(second, rival),
      boss.patch(`/api/admin/disputes/${ids[0]}`, { documents_received: true }),
      settleOverdue(other.parts),
    ])
    only4xx([approved, marked])
    if (approved.status === 200) {
      assert.deepEqual(await standing(owner, challenger), ['none', 'verified'])
      assert.deepEqual(await notices(challenger), ['vehicle_approved'])
    } else {
      assert.equal(approved.body.code, 'plate_is_live')
      assert.deepEqual(await standing(owner, challenger), ['active', 'rejected'])
      assert.deepEqual(await notices(challenger), ['vehicle_rejected'])
      assert.equal(count(await mailKinds(app, owner), 'dispute_settled'), 1)
    }
    await clear(owner, challenger)
  }
})

test('an account goes while an admin approves its vehicle: the other side has the plate, or nobody', async () => {
  const owner = await app.user()
  for (let round = 0; round < ROUNDS / 2; round++) {
    const challenger = await app.user()
    const { rival } = await duel([owner, challenger])
    const [approved, left] = await Promise.all([approve(boss, rival), leave(challenger)])
    only4xx([approved])
    assert.equal(left.status, 200)
    const wasApproved = (await notices(owner)).includes('vehicle_deleted')
    assert.deepEqual(await standing(owner), [wasApproved ? 'none' : 'active'])
    assert.equal(count(await mailKinds(app, owner), 'dispute_settled'), wasApproved ? 0 : 1)
    await clear(owner)
  }
})

test('two sides whose accounts go at once leave the plate to the third', async () => {
  const third = await app.user()
  for (let round = 0; round < ROUNDS / 2; round++) {
    const [owner, challenger] = await pair(app)
    const { plate } = await duel([owner, challenger])
    await register(third, plate)
    assert.deepEqual(codes(await Promise.all([leave(owner), leave(challenger)])), [200, 200])
    assert.deepEqual(await standing(third), ['active'])
    assert.deepEqual(await mailKinds(app, third), ['dispute_challenger', 'dispute_settled'])
    await clear(third)
  }
})

test('none of this made two wait for each other', async () => {
  assert.equal(await deadlocks(app, other), 0)
})
