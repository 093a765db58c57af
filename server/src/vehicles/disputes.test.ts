import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { inTransaction } from '../db/transaction.ts'
import { getDocumentsDueAt } from '../disputes/business-days.ts'
import { renderDisputeIncumbent, renderDisputeSettled } from '../disputes/emails.ts'
import { deleteOldChallenges } from '../disputes/queries.ts'
import { type Person, testApp } from '../test/app.ts'
import {
  createThreeUsers,
  createTwoUsers,
  onlyVehicleOf,
  queuedMailKinds,
  registerPlate,
  vehicleStates,
  waitForMail,
  waitUntilMailsAreSent,
} from '../test/disputes.ts'
import { withdrawFromDisputes } from './withdraw-from-disputes.ts'

const app = await testApp()
after(() => app.close())

const IN_FRENCH = { 'accept-language': 'fr' }
const remove = async (who: Person) => {
  const response = await who.delete(`/api/vehicles/${(await onlyVehicleOf(who)).id}`)
  assert.equal(response.status, 204)
}

test('a second registration starts a dispute: both vehicles are paused and both owners are asked for documents', async () => {
  const [owner, challenger] = await createTwoUsers(app)
  await registerPlate(owner, 'DUEL-1')
  const before = getDocumentsDueAt(new Date()).toISOString()
  const { status, body } = await registerPlate(challenger, 'duel1')
  const afterwards = getDocumentsDueAt(new Date()).toISOString()

  assert.equal(status, 200)
  assert.equal(body.status, 'dispute_started')
  assert.equal(body.vehicle.status, 'pending_verification')
  assert.equal(body.vehicle.dispute.role, 'challenger')
  const due = body.vehicle.dispute.documents_due_at
  assert.ok(due === before || due === afterwards, due)
  assert.deepEqual(await onlyVehicleOf(challenger), body.vehicle)
  const incumbent = await onlyVehicleOf(owner)
  assert.equal(incumbent.status, 'pending_verification')
  assert.deepEqual(incumbent.dispute, { documents_due_at: due, role: 'incumbent' })

  const [toOwner] = await app.mails(owner.email)
  const [toChallenger] = await app.mails(challenger.email)
  assert.match(toOwner?.subject ?? '', /^Action needed by \w{3}, \w{3} \d+: someone else registered plate DUEL-1$/)
  assert.match(toChallenger?.subject ?? '', /^One more step by \w{3}, \w{3} \d+: show that plate DUEL1 is yours$/)
  // an owner who relies on notifications hears of it too; a challenger has just read it
  const [notice] = (await owner.get('/api/notifications')).body.items
  assert.deepEqual([notice.type, notice.data], ['plate_disputed', { plate: 'DUEL-1', vehicle_id: incumbent.id }])
  assert.deepEqual((await challenger.get('/api/notifications')).body.items, [])
  // what an owner has to know before they decide to do nothing
  assert.match(
    toOwner?.text ?? '',
    /If only the other person proves it’s theirs, your registration and the messages it received are deleted\./,
  )
  for (const [mail, vehicle] of [
    [toOwner, incumbent],
    [toChallenger, body.vehicle],
  ]) {
    assert.match(mail.text, /driver’s licence/)
    assert.match(mail.text, /vehicle’s registration/)
    assert.match(mail.text, /support@platenote\.ca/)
    assert.ok(mail.text.includes(`http://platenote.test/dashboard/vehicles#${vehicle.id}`), mail.text)
  }
})

test('neither side learns anything about the other', async () => {
  const [owner, challenger] = await createTwoUsers(app)
  await registerPlate(owner, 'BLIND-1')
  const response = await registerPlate(challenger, 'BLIND1')
  const [mine, theirs] = [await onlyVehicleOf(owner), await onlyVehicleOf(challenger)]
  const seenByOwner = (await owner.get('/api/vehicles')).text + JSON.stringify(await app.mails(owner.email))
  const seenByChallenger = response.text + JSON.stringify(await app.mails(challenger.email))
  for (const value of [challenger.id, challenger.email, theirs.id, 'BLIND1'])
    assert.ok(!seenByOwner.includes(value), value)
  for (const value of [owner.id, owner.email, mine.id, 'BLIND-1']) assert.ok(!seenByChallenger.includes(value), value)
})

test('the emails come in French to people who chose French', async () => {
  const owner: Person = await app.user({ locale: 'fr-CA' })
  const challenger: Person = await app.user({ locale: 'fr-CA' })
  await registerPlate(owner, 'GENS1')
  await registerPlate(challenger, 'GENS1')
  const [toOwner] = await app.mails(owner.email)
  const [toChallenger] = await app.mails(challenger.email)
  assert.match(toOwner?.subject ?? '', /^À faire d’ici le .+\u00a0: une autre personne a enregistré la plaque GENS1$/)
  assert.match(
    toChallenger?.subject ?? '',
    /^Encore une étape d’ici le .+\u00a0: montrez que la plaque GENS1 est à vous$/,
  )
  assert.match(toOwner?.text ?? '', /permis de conduire/)
  assert.ok(toOwner?.text.includes('http://platenote.test/fr/dashboard/vehicles#'), toOwner?.text ?? '')
})

test('a third registration joins the dispute, and the first owner is not asked again', async () => {
  const [owner, second, third] = await createThreeUsers(app)
  await registerPlate(owner, 'TRIO1')
  await registerPlate(second, 'TRIO1')
  assert.equal((await registerPlate(third, 'TRIO1')).body.status, 'dispute_started')
  assert.deepEqual(await vehicleStates(owner, second, third), [
    'pending_verification, incumbent',
    'pending_verification, challenger',
    'pending_verification, challenger',
  ])
  assert.equal((await app.mails(third.email)).length, 1)
  assert.equal((await app.mails(owner.email)).length, 1)
  const queued = await app.db`select 1 from outbox where recipient_id = ${owner.id} and kind like 'dispute_%'`
  assert.equal(queued.length, 1)
})

test('a verified owner is informed and stays live, and the challenger waits', async () => {
  const [owner, challenger] = await createTwoUsers(app)
  await app.vehicle(owner, { plate: 'VERIF1', status: 'verified' })
  assert.equal((await registerPlate(challenger, 'VERIF1')).body.status, 'dispute_started')
  assert.deepEqual(await vehicleStates(owner, challenger), ['verified, incumbent', 'pending_verification, challenger'])
  const [toOwner] = await app.mails(owner.email)
  assert.equal(toOwner?.subject, 'Is plate VERIF1 still yours?')
  await remove(challenger)
  assert.deepEqual(await vehicleStates(owner), ['verified'])
  await waitForMail(app, owner, 'You keep plate VERIF1')
})

test('when a challenger withdraws, the owner gets the earlier status back', async () => {
  for (const status of ['active', 'approved'] as const) {
    const [owner, challenger] = await createTwoUsers(app)
    const plate = `BACK${status.slice(0, 3).toUpperCase()}`
    await app.vehicle(owner, { plate, status })
    await registerPlate(challenger, plate)
    assert.deepEqual(await vehicleStates(owner), ['pending_verification, incumbent'])
    await remove(challenger)
    assert.deepEqual(await vehicleStates(owner), [status])
    await waitForMail(app, owner, `Plate ${plate} can receive messages again`)
  }
})

test('when one of two challengers withdraws, the dispute goes on', async () => {
  const [owner, second, third] = await createThreeUsers(app)
  for (const who of [owner, second, third]) await registerPlate(who, 'TWO1')
  await remove(second)
  assert.deepEqual(await vehicleStates(owner, third), [
    'pending_verification, incumbent',
    'pending_verification, challenger',
  ])
  await remove(third)
  assert.deepEqual(await vehicleStates(owner), ['active'])
})

test('when the owner sells, a lone challenger gets the plate, also from a verified owner', async () => {
  for (const status of ['active', 'verified']) {
    const [owner, challenger] = await createTwoUsers(app)
    await app.vehicle(owner, { plate: `SOLD${status.slice(0, 3)}`, status })
    await registerPlate(challenger, `SOLD${status.slice(0, 3)}`)
    await remove(owner)
    assert.deepEqual(await vehicleStates(challenger), ['active'])
    const mail = await waitForMail(
      app,
      challenger,
      `Your registration of plate SOLD${status.slice(0, 3).toUpperCase()} is now active`,
    )
    assert.ok(!JSON.stringify(mail).includes(owner.email) && !JSON.stringify(mail).includes(owner.id))
  }
})

test('the email about a settled dispute comes in French, and not at all when the plate is challenged again', async () => {
  const owner = await app.user({ locale: 'fr-CA' })
  const [second, third] = await createTwoUsers(app)
  await registerPlate(owner, 'REGLE1')
  await registerPlate(second, 'REGLE1')
  await remove(second)
  const mail = await waitForMail(app, owner, 'La plaque REGLE1 peut de nouveau recevoir des messages')
  assert.match(mail.text, /L’autre enregistrement de cette plaque a pris fin/)

  // after more than ninety days it can be paused again
  await app.db`update vehicles set challenge_survived_at = now() - interval '91 days' where plate = 'REGLE1'`
  await registerPlate(third, 'REGLE1')
  const { id } = await onlyVehicleOf(owner)
  const late = {
    id,
    kind: 'dispute_settled' as const,
    refId: id,
    recipientId: owner.id,
    to: owner.email,
    locale: 'en' as const,
    preferences: { email_messages: true, email_message_text: true },
    data: { vehicle_id: id, settlement: 'restored' },
  }
  assert.equal(await renderDisputeSettled(app.context, late), null)
})

test('sides whose dispute goes on are not informed when another side leaves', async () => {
  const [owner, second, third] = await createThreeUsers(app)
  for (const who of [owner, second, third]) await registerPlate(who, 'GOESON1')
  await remove(owner)
  assert.deepEqual(await queuedMailKinds(app, second), ['dispute_challenger'])
  assert.deepEqual(await queuedMailKinds(app, third), ['dispute_challenger'])
  await waitUntilMailsAreSent(app, second)
  await remove(third)
  assert.deepEqual(await queuedMailKinds(app, second), ['dispute_challenger', 'dispute_settled'])
})

test('when the owner leaves and several people challenge, the oldest challenger becomes the incumbent', async () => {
  const [owner, second, third] = await createThreeUsers(app)
  const fourth: Person = await app.user()
  await app.vehicle(owner, { plate: 'HEIR1', status: 'verified' })
  for (const who of [second, third, fourth]) await registerPlate(who, 'HEIR1')
  await remove(owner)
  assert.deepEqual(await vehicleStates(second, third, fourth), [
    'pending_verification, incumbent',
    'pending_verification, challenger',
    'pending_verification, challenger',
  ])
  await remove(third)
  await remove(fourth)
  assert.deepEqual(await vehicleStates(second), ['active'])
})

test('a deleted account leaves all its disputes, on whichever side it was', async () => {
  const [leaver, challenger, owner] = await createThreeUsers(app)
  await registerPlate(leaver, 'LEAVE1')
  await registerPlate(challenger, 'LEAVE1')
  await registerPlate(owner, 'LEAVE2')
  await registerPlate(leaver, 'LEAVE3')
  await registerPlate(leaver, 'LEAVE2')
  await inTransaction(app.db, async (tx) => {
    const own = await tx<{ id: string }[]>`select id from vehicles where user_id = ${leaver.id}`
    await withdrawFromDisputes(
      tx,
      own.map(({ id }) => id),
    )
    await tx`delete from auth.users where id = ${leaver.id}`
  })
  assert.deepEqual(await vehicleStates(challenger, owner), ['active', 'active'])
})

test('while a challenge is open a second taken plate is refused, and a free one is registered', async () => {
  const [owner, challenger] = await createTwoUsers(app)
  for (const plate of ['OPEN1', 'OPEN2']) await registerPlate(owner, plate)
  await registerPlate(challenger, 'OPEN1')
  const { status, body } = await registerPlate(challenger, 'OPEN2')
  assert.equal(status, 409)
  assert.deepEqual(body, {
    error: 'You already have an open verification for another plate. Please wait until it is settled.',
    code: 'open_challenge',
  })
  const french = await registerPlate(challenger, 'OPEN2', IN_FRENCH)
  assert.equal(
    french.body.error,
    'Une vérification est déjà en cours pour une autre de vos plaques. Veuillez attendre qu’elle soit terminée.',
  )
  const free = await registerPlate(challenger, 'OPEN3')
  assert.deepEqual([free.status, free.body.status, free.body.vehicle.status], [200, 'registered', 'active'])
  assert.equal((await registerPlate(challenger, 'OPEN1')).body.code, 'already_yours')
  const untouched = (await owner.get('/api/vehicles')).body.items.find((v: { plate: string }) => v.plate === 'OPEN2')
  assert.equal(untouched.status, 'active')
})

test('a person who challenges several plates concurrently starts one dispute', async () => {
  const [owner, challenger] = await createTwoUsers(app)
  const plates = ['ONCE1', 'ONCE2', 'ONCE3', 'ONCE4']
  for (const plate of plates) await registerPlate(owner, plate)
  const responses = await Promise.all(plates.map((plate) => registerPlate(challenger, plate)))
  assert.deepEqual(responses.map(({ status }) => String(status)).sort(), ['200', '409', '409', '409'])
})

test('the fourth challenge within ninety days is refused', async () => {
  const [owner, challenger] = await createTwoUsers(app)
  for (let i = 1; i <= 4; i++) await registerPlate(owner, `FOUR${i}`)
  for (let i = 1; i <= 3; i++) {
    assert.equal((await registerPlate(challenger, `FOUR${i}`)).body.status, 'dispute_started')
    await remove(challenger)
  }
  const response = await registerPlate(challenger, 'FOUR4')
  assert.equal(response.status, 429)
  assert.deepEqual(response.body, {
    error: 'You’ve started too many plate verifications recently. Please contact our support team.',
    code: 'too_many_challenges',
  })
  const days = Number(response.headers.get('retry-after')) / (24 * 3600)
  assert.ok(days > 89 && days <= 90, `retry-after is ${days} days`)
  assert.equal((await registerPlate(challenger, 'FOURFREE')).body.status, 'registered')
  const french = await registerPlate(challenger, 'FOUR4', IN_FRENCH)
  assert.equal(
    french.body.error,
    'Vous avez lancé trop de vérifications de plaques récemment. Veuillez écrire à notre équipe de soutien.',
  )
  await app.db`update challenges_started set created_at = now() - interval '91 days' where user_id = ${challenger.id}`
  assert.equal((await registerPlate(challenger, 'FOUR4')).body.status, 'dispute_started')
})

test('a challenge is deleted after ninety days, and counts until then', async () => {
  const [owner, challenger] = await createTwoUsers(app)
  for (let i = 1; i <= 4; i++) await registerPlate(owner, `KEPT${i}`)
  for (let i = 1; i <= 3; i++) {
    assert.equal((await registerPlate(challenger, `KEPT${i}`)).body.status, 'dispute_started')
    await remove(challenger)
  }
  const started = async () => (await challenger.get('/api/export')).body.challenges.length
  const age = (days: number) => app.db`
    update challenges_started set created_at = now() - make_interval(days => ${days})
    where id = (select id from challenges_started where user_id = ${challenger.id} order by id limit 1)`
  await age(89)
  await deleteOldChallenges(app.db)
  assert.equal(await started(), 3)
  assert.equal((await registerPlate(challenger, 'KEPT4')).body.code, 'too_many_challenges')
  await age(91)
  await deleteOldChallenges(app.db)
  assert.equal(await started(), 2)
  assert.equal((await registerPlate(challenger, 'KEPT4')).body.status, 'dispute_started')
})

test('an email about a dispute that ended before it was rendered is not sent', async () => {
  const [owner, challenger] = await createTwoUsers(app)
  const { body } = await registerPlate(owner, 'LATE1')
  await registerPlate(challenger, 'LATE1')
  const mail = {
    id: body.vehicle.id,
    kind: 'dispute_incumbent' as const,
    refId: body.vehicle.id,
    recipientId: owner.id,
    to: owner.email,
    locale: 'en' as const,
    preferences: { email_messages: true, email_message_text: true },
    data: { vehicle_id: body.vehicle.id },
  }
  assert.notEqual(await renderDisputeIncumbent(app.context, mail), null)
  assert.equal(await renderDisputeIncumbent(app.context, { ...mail, recipientId: challenger.id }), null)
  await remove(challenger)
  assert.equal(await renderDisputeIncumbent(app.context, mail), null)
})
