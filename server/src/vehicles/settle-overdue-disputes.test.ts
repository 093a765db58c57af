import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatDueDate } from '../disputes/business-days.ts'
import { testApp } from '../test/app.ts'
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
import { settleOverdueDisputes } from './settle-overdue-disputes.ts'

const app = await testApp()
const adminUser = await createAdmin(app)

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
