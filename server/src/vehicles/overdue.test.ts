import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { dueDay } from '../disputes/business-days.ts'
import { type Person, testApp } from '../test/app.ts'
import {
  admin,
  audited,
  challengesOf,
  letDatePass,
  mailKinds,
  mailWith,
  notices,
  only,
  pair,
  register,
  standing,
  trio,
} from '../test/disputes.ts'
import { eventually } from '../test/eventually.ts'
import { settleOverdue } from './settle-overdue.ts'

const app = await testApp()
let boss: Person
before(async () => {
  boss = await admin(app)
})
after(() => app.close())

const idsOf = async (plate: string) => (await challengesOf(app, plate)).map(({ id }) => id)
const passDateOf = async (plate: string) => {
  const ids = await idsOf(plate)
  await letDatePass(app, ids)
  return ids
}

test('without documents by the date the challenger is rejected and the plate works again', async () => {
  const [owner, challenger] = await pair(app)
  await register(owner, 'LATE-1')
  await register(challenger, 'LATE1')
  const [lost] = [await only(challenger)]
  const [disputeId] = await passDateOf('LATE1')
  await settleOverdue(app.parts)

  assert.deepEqual(await standing(owner, challenger), ['active', 'rejected'])
  const [notice] = (await challenger.get('/api/notifications')).body.items
  assert.deepEqual([notice.type, notice.data], ['vehicle_rejected', { plate: 'LATE1', vehicle_id: lost.id }])
  const day = dueDay(new Date(Date.now() - 1000).toISOString(), 'en')
  const mail = await mailWith(app, challenger, 'Your registration of plate LATE1 was rejected')
  assert.ok(mail.text.includes(`> The documents we asked for did not arrive by ${day}.`), mail.text)
  await mailWith(app, owner, 'Your plate LATE-1 works again')
  assert.deepEqual(await notices(owner), [])
  assert.deepEqual(await audited(boss, disputeId!), [
    { actor_email: null, action: 'dispute_overdue', subject: 'LATE1 · Ontario', reason: null },
  ])
})

test('the reason is written in the challenger’s language', async () => {
  const owner = await app.user()
  const challenger = await app.user({ locale: 'fr-CA' })
  await register(owner, 'TARD1')
  await register(challenger, 'TARD1')
  await passDateOf('TARD1')
  await settleOverdue(app.parts)
  const day = dueDay(new Date(Date.now() - 1000).toISOString(), 'fr-CA')
  const mail = await mailWith(app, challenger, 'Votre enregistrement de la plaque TARD1 a été refusé')
  assert.ok(mail.text.includes(`> Nous n’avons pas reçu les documents demandés au plus tard le ${day}.`), mail.text)
})

test('before the date nothing happens', async () => {
  const [owner, challenger] = await pair(app)
  await register(owner, 'EARLY1')
  await register(challenger, 'EARLY1')
  await settleOverdue(app.parts)
  assert.deepEqual(await standing(owner, challenger), [
    'pending_verification, incumbent',
    'pending_verification, challenger',
  ])
})

test('each of two challengers has its own date; the last one gives the plate back', async () => {
  const [owner, second, third] = await trio(app)
  for (const who of [owner, second, third]) await register(who, 'DATES1')
  const [first, last] = await idsOf('DATES1')
  await letDatePass(app, [first!])
  await settleOverdue(app.parts)
  assert.deepEqual(await standing(owner, second, third), [
    'pending_verification, incumbent',
    'rejected',
    'pending_verification, challenger',
  ])
  assert.deepEqual(await mailKinds(app, owner), ['dispute_incumbent'])
  await letDatePass(app, [last!])
  await settleOverdue(app.parts)
  assert.deepEqual(await standing(owner, second, third), ['active', 'rejected', 'rejected'])
  assert.deepEqual(await mailKinds(app, owner), ['dispute_incumbent', 'dispute_settled'])
})

test('a verified owner stays verified, and the challenger may try again', async () => {
  const [owner, challenger] = await pair(app)
  await register(owner, 'CALM1')
  await boss.post(`/api/admin/vehicles/${(await only(owner)).id}/approve`)
  await register(challenger, 'CALM1')
  await passDateOf('CALM1')
  await settleOverdue(app.parts)
  assert.deepEqual(await standing(owner, challenger), ['verified', 'rejected'])
  await mailWith(app, owner, 'Your plate CALM1 stays yours')
  assert.equal((await register(challenger, 'CALM1')).body.status, 'dispute_started')
})

test('two processes at once settle each dispute once', async () => {
  const other = await testApp({ beside: app, settings: { ROLE: 'web' } })
  try {
    const plates = Array.from({ length: 6 }, (_, i) => `BOTH${i}`)
    const crowd = await Promise.all(
      plates.map(async (plate) => {
        const [owner, challenger] = await pair(app)
        await register(owner, plate)
        await register(challenger, plate)
        return { plate, owner, challenger }
      }),
    )
    const disputeIds = (await Promise.all(plates.map(idsOf))).flat()
    await letDatePass(app, disputeIds)
    await Promise.all([app, other, app, other].map(({ parts }) => settleOverdue(parts)))
    for (const { owner, challenger } of crowd) {
      assert.deepEqual(await standing(owner, challenger), ['active', 'rejected'])
      assert.deepEqual(await notices(challenger), ['vehicle_rejected'])
      assert.deepEqual((await mailKinds(app, challenger)).filter((kind) => kind === 'vehicle_rejected').length, 1)
      assert.deepEqual((await mailKinds(app, owner)).filter((kind) => kind === 'dispute_settled').length, 1)
    }
    for (const id of disputeIds) assert.equal((await audited(boss, id)).length, 1)
  } finally {
    await other.close()
  }
})

test('a dispute that cannot be settled stands in nobody’s way, and is settled once it can be', async () => {
  const [owner, stuck, third] = await trio(app)
  const fourth = await app.user()
  await register(owner, 'STUCK1')
  await register(stuck, 'STUCK1')
  await register(third, 'STUCK2')
  await register(fourth, 'STUCK2')
  const { id } = await only(stuck)
  await app.db.unsafe(`
    create function refuse_rejection() returns trigger language plpgsql as $$ begin raise exception 'not now'; end $$;
    create trigger refuse_rejection before update on vehicles for each row
      when (new.id = '${id}' and new.status = 'rejected') execute function refuse_rejection()`)
  await passDateOf('STUCK1')
  await passDateOf('STUCK2')
  await settleOverdue(app.parts)
  assert.deepEqual(await standing(stuck, third, fourth), ['pending_verification, challenger', 'active', 'rejected'])
  assert.deepEqual(await notices(stuck), [])
  await app.db.unsafe('drop trigger refuse_rejection on vehicles; drop function refuse_rejection')
  await settleOverdue(app.parts)
  assert.deepEqual(await standing(owner, stuck), ['active', 'rejected'])
})

test('a server that starts settles what fell due while none was running', async () => {
  const [owner, challenger] = await pair(app)
  await register(owner, 'WAKE1')
  await register(challenger, 'WAKE1')
  await passDateOf('WAKE1')
  const other = await testApp({ beside: app })
  try {
    await eventually(async () => ((await standing(owner))[0] === 'active' ? true : undefined))
    assert.deepEqual(await standing(challenger), ['rejected'])
  } finally {
    await other.close()
  }
})
