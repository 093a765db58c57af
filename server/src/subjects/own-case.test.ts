import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { grantAdmin } from '../auth/admin-role.ts'
import { type Person, testApp } from '../test/app.ts'
import { reportedMessage } from '../test/cases.ts'
import { auditEntries, createAdmin, onlyVehicleOf, registerPlate } from '../test/disputes.ts'
import { fieldsOf } from '../test/fields.ts'
import { personOf } from '../test/sanctions.ts'
import { join } from '../test/vehicle-people.ts'

// Nobody decides about something they are a side of, nor opens it (decision admin-inbox).

const app = await testApp()

const mailbox = () => `side-${randomUUID()}`
/** Creates somebody, and a second account of theirs at the same mailbox. */
async function twice(): Promise<[Person, Person]> {
  const name = mailbox()
  return [await app.user({ email: `${name}@example.com` }), await app.user({ email: `${name}+2@example.com` })]
}
/** Judges a person by what is not about the case: a suspension, its end, the end of an account. One's own account people delete as everybody does. */
const judgeElsewhere = (who: Person, subjectId: string, account: Person) => [
  who.post(`/api/admin/people/${subjectId}/suspend`, { reason: 'Mine' }),
  who.post(`/api/admin/people/${subjectId}/lift`, { reason: 'Mine' }),
  ...(account.id === who.id ? [] : [who.post('/functions/v1/delete-user', { id: account.id })]),
]
/** Makes all of them admins, one after the other, and expects of each that every call is refused with one of the codes. */
async function assertRefused(
  sides: Record<string, [Person, Person]>,
  calls: (who: Person) => Promise<{ status: number; body: { code?: string } }>[],
  codes: string[],
) {
  for (const [what, accounts] of Object.entries(sides))
    for (const who of accounts) {
      await grantAdmin(app.db, who.email)
      for (const { status, body } of await Promise.all(calls(who)))
        assert.ok(status === 403 && codes.includes(body?.code ?? ''), `${what}: ${status} ${body?.code}`)
      await app.db`update auth.users set is_admin = false where id = ${who.id}`
    }
}

test('the people of a plate neither open its dispute nor decide about it, with any of their accounts', async () => {
  const [former, incumbent, driver, challenger] = [await twice(), await twice(), await twice(), await twice()]
  const plate = `OWN${Math.floor(Math.random() * 1e5)}`
  const { id: formerId } = await app.vehicle(former[0], { plate, status: 'rejected' })
  const { id: incumbentId } = await app.vehicle(incumbent[0], { plate })
  await join(incumbent[0], incumbentId, driver[0])
  assert.equal((await registerPlate(challenger[0], plate)).status, 200)
  const { id: challengerId } = await onlyVehicleOf(challenger[0])
  const [dispute] = await app.db<
    { id: string }[]
  >`select id from plate_disputes where challenger_vehicle_id = ${challengerId}`
  const vehicles = () =>
    app.db`select id, status from vehicles where id = any(${[formerId, incumbentId, challengerId]}) order by id`
  const before = await vehicles()
  const admin = await createAdmin(app)
  const judged = await Promise.all(
    [incumbent[0], challenger[0]].map(async (account) => [await personOf(admin, account), account] as const),
  )
  const at = `/api/admin/disputes/${dispute!.id}`
  await assertRefused(
    { former, incumbent, driver, challenger },
    (who) => [
      who.get(at),
      who.patch(at, { documents_received: true }),
      ...[incumbentId, challengerId].flatMap((id) => [
        who.post(`/api/admin/vehicles/${id}/approve`),
        who.post(`/api/admin/vehicles/${id}/reject`, { reason: 'Mine' }),
        who.delete(`/api/admin/vehicles/${id}`),
      ]),
      ...judged.flatMap(([subjectId, account]) => judgeElsewhere(who, subjectId, account)),
    ],
    ['own_case', 'own_sanction'],
  )
  assert.deepEqual(await vehicles(), before)

  for (const _ of [1, 2]) assert.equal((await admin.get(at)).status, 200)
  assert.equal((await admin.post(`/api/admin/vehicles/${challengerId}/approve`)).status, 204)
  const looks = await auditEntries(admin, dispute!.id)
  assert.deepEqual(fieldsOf(looks, 'action', 'subject', 'actor_email'), [
    ['dispute_opened', `${plate} · Ontario`, admin.email],
  ])
})

test('the people of a message and of its report neither open the report nor decide it, nor an appeal about it', async () => {
  const [sender, owner, driver] = [await twice(), await twice(), await twice()]
  const { caseId, subjectId } = await reportedMessage(app, { sender: sender[0], owner: owner[0] })
  await join(owner[0], (await onlyVehicleOf(owner[0])).id, driver[0])
  const at = `/api/admin/reports/${caseId}`
  const decision = { action: 'dismiss', reason: 'Mine' }
  await assertRefused(
    { sender, owner, driver },
    (who) => [
      who.post(`${at}/open`, { purpose: 'Mine' }),
      who.post(`${at}/decide`, decision),
      ...judgeElsewhere(who, subjectId, sender[0]),
    ],
    ['own_case', 'own_sanction'],
  )

  const admin = await createAdmin(app)
  assert.equal((await admin.post(`${at}/decide`, { action: 'warn', reason: 'Please be kind' })).status, 200)
  const { body: appeal } = await sender[0].post('/api/appeals', { text: 'It was not me' })
  await assertRefused(
    { sender, owner, driver },
    (who) => [
      who.post(`/api/admin/appeals/${appeal.id}/open`),
      who.post(`/api/admin/appeals/${appeal.id}/decide`, { uphold: false, reason: 'Mine' }),
      ...judgeElsewhere(who, subjectId, sender[0]),
    ],
    ['own_case', 'own_sanction'],
  )
  const other = await createAdmin(app)
  assert.equal(
    (await other.post(`/api/admin/appeals/${appeal.id}/decide`, { uphold: true, reason: 'I read it' })).status,
    204,
  )
})

test('who takes a plate from others does not register it afterwards, with any of their accounts', async () => {
  for (const take of ['reject', 'delete'] as const) {
    const accounts = await twice()
    const [admin] = accounts
    await grantAdmin(app.db, admin.email)
    const { id, plate } = await app.vehicle(await app.user())
    const { status } =
      take === 'reject'
        ? await admin.post(`/api/admin/vehicles/${id}/reject`, { reason: 'Not theirs' })
        : await admin.delete(`/api/admin/vehicles/${id}`)
    assert.ok(status < 300)
    for (const who of accounts) {
      const refused = await registerPlate(who, plate)
      assert.deepEqual([refused.status, refused.body.code], [403, 'own_case'])
    }
    assert.equal((await registerPlate(await app.user(), plate)).status, 200)
    // nor as a challenge
    assert.equal((await registerPlate(admin, plate)).body.code, 'own_case')
  }
})
