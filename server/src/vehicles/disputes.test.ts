import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { formatDueDate } from '../disputes/business-days.ts'
import { renderDisputeIncumbent, renderDisputeSettled } from '../disputes/emails.ts'
import { formatShortMailDay } from '../email/mail-time.ts'
import { deleteAccount, type Person, testApp } from '../test/app.ts'
import {
  auditEntries,
  createAdmin,
  createThreeUsers,
  createTwoUsers,
  expireDocumentsDueDate,
  onlyVehicleOf,
  openChallenges,
  registerPlate,
  vehicleNotificationTypes,
  vehicleStates,
  waitForMail,
} from '../test/disputes.ts'
import { eventually } from '../test/eventually.ts'
import { fieldsOf } from '../test/fields.ts'
import { renderVehicleApproved, renderVehicleRejected } from './emails.ts'
import { settleOverdueDisputes } from './settle-overdue-disputes.ts'

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
  await registerPlate(owner, 'STALE1')
  await registerPlate(challenger, 'STALE1')
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
  await passNinetyDays('STALE1')
  await registerPlate(third, 'STALE1')
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

// What an admin decides about a vehicle and notes about a dispute. What it does to the sides of a dispute is in dispute-cases.test.ts.

const REASON = 'The registration names another plate.'
const approve = (vehicle: { id: string }) => adminUser.post(`/api/admin/vehicles/${vehicle.id}/approve`)
const reject = (vehicle: { id: string }, reason: unknown = REASON) =>
  adminUser.post(`/api/admin/vehicles/${vehicle.id}/reject`, { reason })

test('the email about a decision that was reversed before it was rendered is not sent', async () => {
  const [owner, stranger] = await createTwoUsers(app)
  await registerPlate(owner, 'UNDONE1')
  const { id } = await onlyVehicleOf(owner)
  const late = {
    id,
    kind: 'vehicle_rejected' as const,
    refId: id,
    recipientId: owner.id,
    to: owner.email,
    locale: 'en' as const,
    preferences: { email_messages: true, email_message_text: true, email_answers: true },
    data: { vehicle_id: id },
  }
  await reject({ id })
  assert.equal(await renderVehicleApproved(app.context, late), null)
  assert.notEqual(await renderVehicleRejected(app.context, late), null)
  assert.equal(await renderVehicleRejected(app.context, { ...late, recipientId: stranger.id }), null)
  await approve({ id })
  assert.equal(await renderVehicleRejected(app.context, late), null)
  assert.notEqual(await renderVehicleApproved(app.context, late), null)
})

test('each decision has its own email: approved, rejected and approved again', async () => {
  const owner = await app.user()
  await registerPlate(owner, 'FICKLE1')
  const vehicle = await onlyVehicleOf(owner)
  // one that is no longer true when its turn comes is not sent, so that each is awaited
  await approve(vehicle)
  await waitForMail(app, owner, 'Your plate FICKLE1 is verified')
  await reject(vehicle)
  const mail = await waitForMail(app, owner, 'Your registration of plate FICKLE1 was rejected')
  assert.ok(mail.text.includes(`http://platenote.test/dashboard/vehicles#${vehicle.id}`), mail.text)
  // the email may be lost: the card says it too
  assert.equal((await onlyVehicleOf(owner)).reject_reason, REASON)
  assert.equal((await owner.get('/api/dashboard')).body.recent_vehicles[0].reject_reason, REASON)
  await approve(vehicle)
  assert.deepEqual(await vehicleNotificationTypes(owner), ['vehicle_approved', 'vehicle_rejected', 'vehicle_approved'])
  await eventually(async () => {
    const mails = await app.mails(owner.email)
    return mails.filter(({ subject }) => subject === 'Your plate FICKLE1 is verified').length === 2 || undefined
  })
  const [row] = await app.db`select reject_reason_encrypted from vehicles where id = ${vehicle.id}`
  assert.equal(row?.['reject_reason_encrypted'], null)
})

const idsOf = async (plate: string) => (await openChallenges(app, plate)).map(({ id }) => id)
const passDueDateOf = async (plate: string) => {
  const ids = await idsOf(plate)
  await expireDocumentsDueDate(app, ids)
  return ids
}

test('without documents by the due date the challenger is rejected and the plate works again', async () => {
  const [owner, challenger] = [await app.user(), await app.user({ locale: 'fr-CA' })]
  await registerPlate(owner, 'LATE-1')
  await registerPlate(challenger, 'LATE1')
  const lost = await onlyVehicleOf(challenger)
  await passDueDateOf('LATE1')
  await settleOverdueDisputes(app.context)

  assert.deepEqual(await vehicleStates(owner, challenger), ['active', 'rejected'])
  const day = formatDueDate(new Date(Date.now() - 1000).toISOString(), 'fr-CA')
  const mail = await waitForMail(app, challenger, 'Votre enregistrement de la plaque LATE1 a été refusé')
  assert.ok(mail.text.includes(`> Nous n’avions consigné aucun document de votre part en date du ${day}.`), mail.text)
  await waitForMail(app, owner, 'Plate LATE-1 can receive messages again')
  // CQLR c. P-39.1, s. 12.1: in the mail and on the screen
  assert.match(mail.text, /Cette décision a été prise automatiquement, .+ une personne réexaminera la décision\./s)
  const [captured] = await app.db<{ headers: Record<string, string> }[]>`
    select headers from captured_mails where id = ${mail.id}`
  assert.equal(captured!.headers['Reply-To'], app.config.SUPPORT_EMAIL)
  assert.equal((await onlyVehicleOf(challenger)).rejected_automatically, true)
  assert.equal((await onlyVehicleOf(owner)).rejected_automatically, false)
  assert.deepEqual(await auditEntries(adminUser, lost.id), [
    { actor_email: null, action: 'dispute_overdue', subject: 'LATE1 · Ontario', reason: null },
  ])
})

test('a dispute that cannot be settled does not block others, and is settled once it can be', async () => {
  const [owner, stuck, third] = await createThreeUsers(app)
  const fourth = await app.user()
  await registerPlate(owner, 'STUCK1')
  await registerPlate(stuck, 'STUCK1')
  await registerPlate(third, 'STUCK2')
  await registerPlate(fourth, 'STUCK2')
  const { id } = await onlyVehicleOf(stuck)
  await app.db.unsafe(`
    create function refuse_rejection() returns trigger language plpgsql as $$ begin raise exception 'not now'; end $$;
    create trigger refuse_rejection before update on vehicles for each row
      when (new.id = '${id}' and new.status = 'rejected') execute function refuse_rejection()`)
  await passDueDateOf('STUCK1')
  await passDueDateOf('STUCK2')
  await settleOverdueDisputes(app.context)
  assert.deepEqual(await vehicleStates(stuck, third, fourth), [
    'pending_verification, challenger',
    'active',
    'rejected',
  ])
  assert.deepEqual(await vehicleNotificationTypes(stuck), [])
  await app.db.unsafe('drop trigger refuse_rejection on vehicles; drop function refuse_rejection')
  await settleOverdueDisputes(app.context)
  assert.deepEqual(await vehicleStates(owner, stuck), ['active', 'rejected'])
})

test('a server that starts settles disputes that became overdue while none was running', async () => {
  const [owner, challenger] = await createTwoUsers(app)
  await registerPlate(owner, 'WAKE1')
  await registerPlate(challenger, 'WAKE1')
  await passDueDateOf('WAKE1')
  await using _other = await testApp({ sibling: app })
  await eventually(async () => ((await vehicleStates(owner))[0] === 'active' ? true : undefined))
  assert.deepEqual(await vehicleStates(challenger), ['rejected'])
})
