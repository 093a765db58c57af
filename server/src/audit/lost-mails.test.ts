import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { AuditEntry } from '#contract/admin.ts'
import { settleWaitingMails } from '../email/queries.ts'
import { type Person, testApp } from '../test/app.ts'
import { createAdmin, createTwoUsers, onlyVehicleOf, registerPlate } from '../test/disputes.ts'
import { eventually } from '../test/eventually.ts'
import { startSmtpInbox } from '../test/smtp-inbox.ts'

const [NO_SUCH_MAILBOX, NOT_NOW] = [550, 450] as const
/** The SMTP reply code for each refused address. */
const refused = new Map<string, number>()
const inbox = await startSmtpInbox({ recipient: (address) => refused.get(address) })
const app = await testApp({ settings: { SMTP_URL: inbox.url } })
after(() => inbox.close())
const adminUser = await createAdmin(app)

const findEntry = async (subjectId: string): Promise<AuditEntry | undefined> => {
  const { items } = (await adminUser.get('/api/admin/audit-log?limit=100')).body as { items: AuditEntry[] }
  return items.find(({ subject_id }) => subject_id === subjectId)
}
/** Returns the lost emails of the newest decision about a vehicle, once there are `least`. */
const waitForLostMails = (subjectId: string, least = 1) =>
  eventually(async () => {
    const mails = (await findEntry(subjectId))?.lost_mails ?? []
    return mails.length >= least ? mails : undefined
  })
/** Gives an account an unusable address, as accounts imported from another system may have. */
const makeUnreachable = async ({ id }: Person) => {
  await app.db`update auth.users set email = ${`nobody at home ${id}`} where id = ${id}`
}

test('an admin sees which emails about a decision will not arrive, and how the mail server responded', async () => {
  const [owner, challenger] = [await app.user(), await app.user({ email: 'zoe.challenger@example.com' })]
  await registerPlate(owner, 'LOST-1')
  await registerPlate(challenger, 'LOST1')
  const vehicle = await onlyVehicleOf(challenger)
  refused.set(challenger.email, NO_SUCH_MAILBOX)
  assert.equal((await adminUser.post(`/api/admin/vehicles/${vehicle.id}/approve`)).status, 200)
  const [mail, ...others] = await waitForLostMails(vehicle.id)
  assert.deepEqual([mail?.to, mail?.deleted_peer, mail?.response, others.length], ['z•••@•••.com', false, '550', 0])
  await inbox.to(owner.email, 2) // arrives, so it is not among the lost ones

  const text = JSON.stringify(await findEntry(vehicle.id))
  for (const secret of [challenger.email, owner.email, 'not this time']) assert.ok(!text.includes(secret), secret)
})

test('an account without a usable address is distinguished, also that of a deleted peer', async () => {
  const [owner, challenger] = await createTwoUsers(app)
  await registerPlate(owner, 'LOST-2')
  await registerPlate(challenger, 'LOST2')
  await inbox.to(owner.email)
  await inbox.to(challenger.email)
  const vehicle = await onlyVehicleOf(challenger)
  await makeUnreachable(owner)
  await makeUnreachable(challenger)
  assert.equal((await adminUser.post(`/api/admin/vehicles/${vehicle.id}/approve`)).status, 200)
  const mails = await waitForLostMails(vehicle.id, 2)
  assert.deepEqual(mails.map(({ deleted_peer, response }) => [deleted_peer, response]).toSorted(), [
    [false, null],
    [true, null],
  ])
})

test('an email that is still retried is not lost, nor one that arrived, nor one of which a restore does not know', async () => {
  const [reached, waiting] = await createTwoUsers(app)
  refused.set(waiting.email, NOT_NOW)
  const decided = [await app.vehicle(reached), await app.vehicle(waiting)]
  for (const { id } of decided) assert.equal((await adminUser.post(`/api/admin/vehicles/${id}/approve`)).status, 200)
  await inbox.to(reached.email)
  await eventually(async () => {
    const tried = await app.db`select from outbox where recipient_id = ${waiting.id} and last_error = 'smtp_450'`
    return tried.length === 1 ? true : undefined
  })
  for (const { id } of decided) assert.deepEqual((await findEntry(id))?.lost_mails, [])
  // it waits in a backup, and has been sent since: after a restore nobody knows
  await app.db.begin(settleWaitingMails)
  for (const { id } of decided) assert.deepEqual((await findEntry(id))?.lost_mails, [])
})
