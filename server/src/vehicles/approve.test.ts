import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Person, testApp } from '../test/app.ts'
import {
  admin,
  audited,
  challengesOf,
  mailKinds,
  mailWith,
  notices,
  only,
  pair,
  register,
  standing,
  trio,
} from '../test/disputes.ts'
import { openStream } from '../test/live.ts'

const app = await testApp()
let boss: Person
before(async () => {
  boss = await admin(app)
})
after(() => app.close())

const approve = (vehicle: { id: string }) => boss.post(`/api/admin/vehicles/${vehicle.id}/approve`)
const reject = (vehicle: { id: string }) => boss.post(`/api/admin/vehicles/${vehicle.id}/reject`, { reason: 'Blurred' })

test('approving a challenger ends the dispute: the vehicle is verified and the others lose theirs', async () => {
  const [owner, winner, third] = await trio(app)
  await register(owner, 'WIN-1')
  await register(winner, 'WIN1')
  await register(third, 'W-I-N-1')
  const [lost, won] = [await only(owner), await only(winner)]
  const { status, body } = await approve(won)

  assert.equal(status, 200)
  assert.equal(body.deleted_peers, 2)
  assert.deepEqual([body.vehicle.id, body.vehicle.status, body.vehicle.dispute], [won.id, 'verified', null])
  assert.deepEqual(await standing(owner, winner, third), ['none', 'verified', 'none'])
  assert.deepEqual([...(await challengesOf(app, 'WIN1'))], [])

  const notifications = (await owner.get('/api/notifications')).body.items
  assert.deepEqual(
    notifications.map(({ type, data }: { type: string; data: object }) => ({ type, data })),
    [{ type: 'vehicle_deleted', data: { plate: 'WIN-1', vehicle_id: lost.id } }],
  )
  assert.deepEqual(await notices(third), ['vehicle_deleted'])
  assert.deepEqual(await notices(winner), ['vehicle_approved'])
  assert.deepEqual(await mailKinds(app, third), ['dispute_challenger', 'vehicle_deleted'])

  const told = await mailWith(app, owner, 'Your registration of plate WIN-1 was removed')
  assert.match(told.text, /Another registration of this plate was verified/)
  assert.match(told.text, /http:\/\/platenote\.test\/dashboard\/vehicles\n/)
  await mailWith(app, third, 'Your registration of plate W-I-N-1 was removed')
  const good = await mailWith(app, winner, 'Your plate WIN1 is verified')
  assert.match(good.text, /you are a Verified PlateNote User/)
  assert.ok(good.text.includes(`http://platenote.test/dashboard/vehicles#${won.id}`), good.text)

  assert.equal((await owner.post('/api/messages', { plate: 'win1', content: 'Your lights are on' })).status, 201)
  assert.equal((await winner.get('/api/messages?view=received')).body.items.length, 1)
})

test('approving the incumbent deletes the challengers, and nobody can pause the plate any more', async () => {
  const [owner, challenger, late] = await trio(app)
  await register(owner, 'KEEP1')
  await register(challenger, 'KEEP1')
  assert.equal((await approve(await only(owner))).body.deleted_peers, 1)
  assert.deepEqual(await standing(owner, challenger), ['verified', 'none'])
  assert.equal((await register(late, 'KEEP1')).body.status, 'dispute_started')
  assert.deepEqual(await standing(owner), ['verified, incumbent'])
})

test('approving the challenger of a verified vehicle deletes that one, with its messages', async () => {
  const [seller, buyer, sender] = await trio(app)
  await register(seller, 'SALE-1')
  assert.equal((await approve(await only(seller))).body.deleted_peers, 0)
  await sender.post('/api/messages', { plate: 'SALE1', content: 'Nice car' })
  await register(buyer, 'SALE1')
  assert.equal((await approve(await only(buyer))).body.deleted_peers, 1)
  assert.deepEqual(await standing(seller, buyer), ['none', 'verified'])
  assert.deepEqual(await notices(seller), ['vehicle_approved', 'vehicle_deleted'])
  await mailWith(app, seller, 'Your registration of plate SALE-1 was removed')
  for (const [who, view] of [
    [seller, 'received'],
    [buyer, 'received'],
    [sender, 'sent'],
  ] as const) {
    assert.deepEqual((await who.get(`/api/messages?view=${view}`)).body.items, [])
  }
})

test('rejected vehicles of the plate stay', async () => {
  const [owner, challenger, rejected] = await trio(app)
  await register(rejected, 'STAY1')
  await reject(await only(rejected))
  await register(owner, 'STAY1')
  await register(challenger, 'STAY1')
  assert.equal((await approve(await only(owner))).body.deleted_peers, 1)
  assert.deepEqual(await standing(rejected), ['rejected'])
  assert.deepEqual(await notices(rejected), ['vehicle_rejected'])
})

test('a vehicle that was rejected is approved when its plate is free, and its dispute is over for all', async () => {
  const [rejected, owner, challenger] = await trio(app)
  await register(rejected, 'AGAIN1')
  await reject(await only(rejected))
  assert.equal((await approve(await only(rejected))).body.vehicle.status, 'verified')
  await reject(await only(rejected))

  await register(owner, 'AGAIN1')
  const refused = await approve(await only(rejected))
  assert.equal(refused.status, 409)
  assert.deepEqual(refused.body, {
    error: 'Another vehicle is live with this plate. Reject or delete that one first.',
    code: 'plate_is_live',
  })
  assert.deepEqual(await standing(rejected, owner), ['rejected', 'active'])
  // once the plate is in dispute nobody is live on it
  await register(challenger, 'AGAIN1')
  assert.equal((await approve(await only(rejected))).body.deleted_peers, 2)
  assert.deepEqual(await standing(rejected, owner, challenger), ['verified', 'none', 'none'])
})

test('who was rejected is not approved over a verified owner whom somebody else challenges', async () => {
  const [rejected, owner, challenger] = await trio(app)
  await register(rejected, 'OVER1')
  await reject(await only(rejected))
  await register(owner, 'OVER1')
  await approve(await only(owner))
  await register(challenger, 'OVER1')
  assert.equal((await approve(await only(rejected))).body.code, 'plate_is_live')
  assert.deepEqual(await standing(rejected, owner, challenger), [
    'rejected',
    'verified, incumbent',
    'pending_verification, challenger',
  ])
  assert.deepEqual(await notices(owner), ['vehicle_approved'])
})

test('a vehicle is approved once, and an unknown one never', async () => {
  const owner = await app.user()
  await register(owner, 'TWICE1')
  const vehicle = await only(owner)
  await approve(vehicle)
  const again = await approve(vehicle)
  assert.equal(again.status, 409)
  assert.deepEqual(again.body, { error: 'This vehicle is already verified.', code: 'already_verified' })
  assert.equal((await approve({ id: '01900000-0000-7000-8000-000000000000' })).status, 404)
  assert.deepEqual(await notices(owner), ['vehicle_approved'])
  assert.deepEqual(await audited(boss, vehicle.id), [
    { actor_email: boss.email, action: 'vehicle_approved', subject: 'TWICE1 · Ontario', reason: null },
  ])
})

test('only admins approve, and whoever is refused changes nothing', async () => {
  const [owner, stranger] = await pair(app)
  await register(owner, 'ONLY1')
  const vehicle = await only(owner)
  const path = `/api/admin/vehicles/${vehicle.id}/approve`
  assert.deepEqual(
    [(await owner.post(path)).status, (await stranger.post(path)).status, (await app.visitor.post(path)).status],
    [403, 403, 401],
  )
  assert.deepEqual(await standing(owner), ['active'])
  assert.deepEqual(await audited(boss, vehicle.id), [])
})

test('each decision has its own mail: approved, rejected and approved again', async () => {
  const owner = await app.user()
  await register(owner, 'FICKLE1')
  const vehicle = await only(owner)
  await approve(vehicle)
  await reject(vehicle)
  await approve(vehicle)
  assert.deepEqual(await notices(owner), ['vehicle_approved', 'vehicle_rejected', 'vehicle_approved'])
  const [queued] = await app.db`
    select count(distinct ref_id) filter (where kind = 'vehicle_approved')::int as approved from outbox
    where recipient_id = ${owner.id}`
  assert.equal(queued?.['approved'], 2)
  const [row] = await app.db`select reject_reason_sealed from vehicles where id = ${vehicle.id}`
  assert.equal(row?.['reject_reason_sealed'], null)
})

test('neither winner nor loser learns anything of the other', async () => {
  const loser = await app.user({ full_name: 'Loser Nameless' })
  const winner = await app.user({ full_name: 'Winner Nameless' })
  await register(loser, 'SHY-1')
  await register(winner, 'SHY1')
  const [lost, won] = [await only(loser), await only(winner)]
  await approve(won)
  await mailWith(app, loser, 'Your registration of plate SHY-1 was removed')
  await mailWith(app, winner, 'Your plate SHY1 is verified')
  const seen = async (who: Person) =>
    (await who.get('/api/notifications')).text +
    (await who.get('/api/vehicles')).text +
    JSON.stringify(await app.mails(who.email))
  const [byLoser, byWinner] = [await seen(loser), await seen(winner)]
  for (const value of [winner.id, winner.email, 'Winner Nameless', won.id, 'SHY1', boss.id, boss.email])
    assert.ok(!byLoser.includes(value), value)
  for (const value of [loser.id, loser.email, 'Loser Nameless', lost.id, 'SHY-1', boss.id, boss.email])
    assert.ok(!byWinner.includes(value), value)
})

test('the mails come in French to who reads French', async () => {
  const loser = await app.user({ locale: 'fr-CA' })
  const winner = await app.user({ locale: 'fr-CA' })
  await register(loser, 'MOTS1')
  await register(winner, 'MOTS1')
  await approve(await only(winner))
  const good = await mailWith(app, winner, 'Votre plaque MOTS1 est vérifiée')
  assert.match(good.text, /vous êtes un utilisateur PlateNote vérifié/)
  assert.match(good.text, /http:\/\/platenote\.test\/fr\/dashboard\/vehicles#/)
  const bad = await mailWith(app, loser, 'Votre enregistrement de la plaque MOTS1 a été supprimé')
  assert.match(bad.text, /Un autre enregistrement de cette plaque a été vérifié/)
})

test('an open page is told at once', async () => {
  const owner = await app.user()
  await register(owner, 'PROMPT1')
  const stream = await openStream(app.url, owner.token)
  await approve(await only(owner))
  const event = await stream.next(({ data }) => data.includes('vehicle_approved'))
  assert.equal(JSON.parse(event.data).data.plate, 'PROMPT1')
  await stream.close()
})
