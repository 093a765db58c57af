import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { formatDueDate } from '../disputes/business-days.ts'
import { renderDisputeIncumbent, renderDisputeSettled } from '../disputes/emails.ts'
import { formatShortMailDay } from '../email/mail-time.ts'
import { deleteAccount, type Person, testApp } from '../test/app.ts'
import {
  createAdmin,
  createThreeUsers,
  expireDocumentsDueDate,
  onlyVehicleOf,
  openChallenges,
  registerPlate,
  vehicleStates,
  waitForMail,
} from '../test/disputes.ts'
import { fieldsOf } from '../test/fields.ts'

// What the sides of a dispute read, and the limits on challenges. Who has the plate after whatever happens, and who is told of it, is in
// dispute-cases.test.ts.

const app = await testApp()
const adminUser = await createAdmin(app)

const remove = async (who: Person) => {
  const response = await who.delete(`/api/vehicles/${(await onlyVehicleOf(who)).id}`)
  assert.equal(response.status, 204)
}

test('an email about a dispute is not sent when it is no longer true as it is rendered', async () => {
  const [owner, challenger, third] = await createThreeUsers(app)
  await registerPlate(owner, 'LATE1')
  await registerPlate(challenger, 'LATE1')
  const { id } = await onlyVehicleOf(owner)
  const mail = {
    ...{ id, refId: id, recipientId: owner.id, to: owner.email, locale: 'en' as const },
    preferences: { email_messages: true, email_message_text: true, email_answers: true },
  }
  const asked = { ...mail, kind: 'dispute_incumbent' as const, data: { vehicle_id: id } }
  const settled = { ...mail, kind: 'dispute_settled' as const, data: { vehicle_id: id, settlement: 'restored' } }
  assert.notEqual(await renderDisputeIncumbent(app.context, asked), null)
  assert.equal(await renderDisputeIncumbent(app.context, { ...asked, recipientId: challenger.id }), null)
  await remove(challenger)
  assert.equal(await renderDisputeIncumbent(app.context, asked), null)
  assert.notEqual(await renderDisputeSettled(app.context, settled), null)
  await passNinetyDays('LATE1')
  await registerPlate(third, 'LATE1')
  assert.equal(await renderDisputeSettled(app.context, settled), null)
})

// nobody keeps a plate silent by challenging it again and again (decision plate-disputes)

let plateCount = 0
const newPlate = () => `CHAIN${String(++plateCount).padStart(2, '0')}`

/** Registers a plate for a person, and lets it survive a challenge: from then on none pauses it for ninety days. */
const registerSurvivor = async (owner: Person, plate: string) => {
  await registerPlate(owner, plate)
  const challenger = await app.user()
  await registerPlate(challenger, plate)
  await remove(challenger)
}
const passNinetyDays = (plate: string) =>
  app.db`update vehicles set challenge_survived_at = now() - interval '91 days' where plate = ${plate}`

test('a chain of accounts of one person pauses a plate once', async () => {
  const owner = await app.user()
  const plate = newPlate()
  await registerPlate(owner, plate)
  const email = `chain-${randomUUID()}@example.com`
  const seen: (string | undefined)[] = []
  for (let i = 0; i < 5; i++) {
    const challenger = await app.user({ email: i % 2 ? email : email.replace('@', `+${i}@`) })
    const { body } = await registerPlate(challenger, plate)
    seen.push(body.status ?? body.code, ...(await vehicleStates(owner)))
    await deleteAccount(challenger)
  }
  assert.deepEqual(seen, [
    ...['dispute_started', 'pending_verification, incumbent'],
    ...['dispute_started', 'active, incumbent'],
    ...['dispute_started', 'active, incumbent'],
    // the limit of three in ninety days is the person's
    ...['too_many_challenges', 'active'],
    ...['too_many_challenges', 'active'],
  ])
  assert.match((await waitForMail(app, owner, `Someone else says plate ${plate} is theirs`)).text, /isn’t paused/)
})

test('the accounts of one person that challenge at the same moment begin one challenge', async () => {
  const owner = await app.user()
  const plates = Array.from({ length: 3 }, newPlate)
  for (const plate of plates) await registerPlate(owner, plate)
  const email = `many-${randomUUID()}@example.com`
  const accounts = await Promise.all(plates.map((_, i) => app.user({ email: email.replace('@', `+${i}@`) })))
  const responses = await Promise.all(accounts.map((account, i) => registerPlate(account, plates[i]!)))
  assert.deepEqual(fieldsOf(responses, 'status').sort(), [200, 409, 409])
})

test('deleting the account and signing up again gives no more registrations a day', async () => {
  await using limited = await testApp({ sibling: app, settings: { LIMIT_SCALE: '1' } })
  const email = `again-${randomUUID()}@example.com`
  const first = await app.user({ email })
  for (let i = 0; i < 10; i++) {
    assert.equal((await registerPlate(limited.withToken(first.token) as Person, newPlate())).status, 200)
  }
  await deleteAccount(first)
  const second = await app.user({ email: email.replace('@', '+again@') })
  assert.equal((await registerPlate(limited.withToken(second.token) as Person, newPlate())).status, 429)
})

test('the owner of a plate that a later challenge pauses reads its date, and not one that is over', async () => {
  const owner = await app.user()
  const plate = newPlate()
  await registerSurvivor(owner, plate)
  await registerPlate(await app.user(), plate)
  const [waiting] = await openChallenges(app, plate)
  const mark = { documents_received: true }
  assert.equal((await adminUser.patch(`/api/admin/disputes/${waiting!.id}`, mark)).status, 200)
  await expireDocumentsDueDate(app, [waiting!.id])
  await passNinetyDays(plate)

  const { body } = await registerPlate(await app.user(), plate)
  const due: string = body.vehicle.dispute.documents_due_at
  assert.deepEqual((await onlyVehicleOf(owner)).dispute, { documents_due_at: due, role: 'incumbent' })
  const { disputed_vehicles } = (await owner.get('/api/dashboard')).body
  assert.equal(disputed_vehicles[0].dispute.documents_due_at, due)
  const day = formatShortMailDay(due, 'en')
  const mail = await waitForMail(app, owner, `Action needed by ${day}: someone else registered plate ${plate}`)
  assert.ok(mail.text.replaceAll(/\s+/g, ' ').includes(formatDueDate(due, 'en')), mail.text)
})
