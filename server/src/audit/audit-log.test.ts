import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import type { AuditEntry } from '#contract/admin.ts'
import { sqlState } from '../db/pool.ts'
import { settleWaitingMails } from '../email/queries.ts'
import { createMasterKeys, encryptText } from '../encryption/envelope-encryption.ts'
import { type Person, testApp } from '../test/app.ts'
import { createAdmin, createTwoUsers, onlyVehicleOf, registerPlate } from '../test/disputes.ts'
import { eventually } from '../test/eventually.ts'
import { fieldsOf } from '../test/fields.ts'
import { startSmtpInbox } from '../test/smtp-inbox.ts'
import { formatUserSubject, reasonAssociatedData } from './record-action.ts'

const [NO_SUCH_MAILBOX, NOT_NOW] = [550, 450] as const
/** The SMTP reply code for each refused address. */
const refused = new Map<string, number>()
const inbox = await startSmtpInbox({ recipient: (address) => refused.get(address) })
const app = await testApp({ settings: { SMTP_URL: inbox.url } })
after(() => inbox.close())
const adminUser = await createAdmin(app)

const log = async (query = '?limit=100'): Promise<{ items: AuditEntry[]; next: string | null }> =>
  (await adminUser.get(`/api/admin/audit-log${query}`)).body
const about = async (id: string) => (await log()).items.filter(({ subject_id }) => subject_id === id)

/** Makes a decision as an admin and expects this status. */
const decide = async (path: string, status: number, body?: unknown) => {
  const response = await adminUser.post(path, body)
  assert.equal(response.status, status, response.text)
}

test('every decision is recorded with its actor, subject, time and reason', async () => {
  const owner = await app.user()
  const vehicle = await app.vehicle(owner, { plate: 'LOG-1', province: 'Nova Scotia' })
  const reason = '  The photo is blurred.\nPlease send it again: «é» 🚗 '
  await decide(`/api/admin/vehicles/${vehicle.id}/reject`, 204, { reason })
  await decide(`/api/admin/vehicles/${vehicle.id}/approve`, 204)
  assert.equal((await adminUser.delete(`/api/admin/vehicles/${vehicle.id}`)).status, 204)

  const entries = await about(vehicle.id)
  for (const { at } of entries) assert.ok(Math.abs(Date.parse(at) - Date.now()) < 600_000)
  const common = { actor_email: adminUser.email, subject: 'LOG-1 · Nova Scotia', subject_id: vehicle.id }
  assert.deepEqual(
    entries.map(({ actor_email, action, subject, subject_id, reason }) => ({
      actor_email,
      action,
      subject,
      subject_id,
      reason,
    })),
    [
      { ...common, action: 'vehicle_deleted', reason: null },
      { ...common, action: 'vehicle_approved', reason: null },
      { ...common, action: 'vehicle_rejected', reason: reason.trim() },
    ],
  )
})

test('the log outlives the people and vehicles it is about, and contains no user’s address', async () => {
  const clerk = await createAdmin(app)
  const owner = await app.user({ email: 'log.owner@example.com' })
  await registerPlate(owner, 'GONE1')
  const { id } = await onlyVehicleOf(owner)
  assert.equal((await clerk.post(`/api/admin/vehicles/${id}/approve`)).status, 204)
  for (const person of [owner, clerk]) {
    assert.equal((await adminUser.post('/functions/v1/delete-user', { id: person.id })).status, 200)
  }
  const [entry] = await about(id)
  assert.deepEqual([entry?.actor_email, entry?.subject], [clerk.email, 'GONE1 · Ontario'])
  assert.ok(!JSON.stringify((await log()).items).includes(owner.email))
})

test('pages follow each other, the latest entry first, whatever is recorded meanwhile', async () => {
  const all = (await log()).items
  assert.ok(all.length >= 6)
  assert.deepEqual(
    fieldsOf(all, 'id'),
    all
      .map(({ id }) => id)
      .toSorted()
      .reverse(),
  )
  const found: AuditEntry[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { items, next }: Awaited<ReturnType<typeof log>> = await log(`?limit=2${cursor && `&cursor=${cursor}`}`)
    found.push(...items)
    cursor = next
    const vehicle = await app.vehicle(await app.user())
    await decide(`/api/admin/vehicles/${vehicle.id}/approve`, 204)
  }
  assert.deepEqual(found, all)
})

test('no entry can be changed, deleted or truncated, not even by the product; only its reason can be re-encrypted', async () => {
  const vehicle = await app.vehicle(await app.user())
  await decide(`/api/admin/vehicles/${vehicle.id}/reject`, 204, { reason: 'Kept' })
  await decide(`/api/admin/vehicles/${vehicle.id}/approve`, 204)
  const [approved, rejected] = await about(vehicle.id)
  const { db } = app
  const id = rejected!.id
  const encrypted = encryptText(app.context.keyring, reasonAssociatedData(approved!.id), 'Added later')
  const attempts = [
    db`update audit_log set action = 'vehicle_approved' where id = ${id}`,
    db`update audit_log set at = now() where id = ${id}`,
    db`update audit_log set actor_email = null, actor_id = null where id = ${id}`,
    db`update audit_log set subject = 'X' where id = ${id}`,
    db`update audit_log set reason_encrypted = null where id = ${id}`,
    db`update audit_log set reason_encrypted = ${encrypted} where id = ${approved!.id}`,
    db`update audit_log set id = ${approved!.subject_id} where id = ${id}`,
    db`delete from audit_log where id = ${id}`,
    db`delete from audit_log`,
    db`truncate audit_log`,
    db`truncate audit_log cascade`,
  ]
  for (const attempt of attempts) {
    await assert.rejects(attempt, (error) => sqlState(error) === '23001', 'the database let it through')
  }
  assert.deepEqual(await about(vehicle.id), [approved, rejected])

  const otherKeys = createMasterKeys(randomBytes(32).toString('base64'), [])
  await db`update audit_log set reason_encrypted = ${encryptText(app.context.keyring, reasonAssociatedData(id), 'Kept')} where id = ${id}`
  assert.deepEqual(await about(vehicle.id), [approved, rejected])
  // under a key this process does not have the reason cannot be read; the entry itself stays
  await db`update audit_log set reason_encrypted = ${encryptText(otherKeys, reasonAssociatedData(id), 'Kept')} where id = ${id}`
  assert.deepEqual(await about(vehicle.id), [approved, { ...rejected, reason: 'This reason cannot be shown.' }])
})

test('the audit log shows the domain of an address only when very many people have one there', () => {
  assert.equal(formatUserSubject('alex.tremblay@gmail.com'), 'a•••@gmail.com')
  assert.equal(formatUserSubject('alex@Videotron.ca'), 'a•••@videotron.ca')
  // the domain of a person or a small firm would name them
  assert.equal(formatUserSubject('alex@tremblay-fils.quebec'), 'a•••@•••.quebec')
  assert.equal(formatUserSubject('alex@gmail.com.tremblay.ca'), 'a•••@•••.ca')
  assert.equal(formatUserSubject('no address'), '•••')
})

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
  assert.equal((await adminUser.post(`/api/admin/vehicles/${vehicle.id}/approve`)).status, 204)
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
  assert.equal((await adminUser.post(`/api/admin/vehicles/${vehicle.id}/approve`)).status, 204)
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
  for (const { id } of decided) assert.equal((await adminUser.post(`/api/admin/vehicles/${id}/approve`)).status, 204)
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
