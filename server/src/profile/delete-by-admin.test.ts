import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { reasonAssociatedData } from '../audit/record-action.ts'
import { grantAdmin } from '../auth/admin-role.ts'
import { decryptText } from '../encryption/envelope-encryption.ts'
import { type Person, testApp } from '../test/app.ts'
import { createAdmin, createTwoUsers } from '../test/disputes.ts'
import { waitForLockWaits } from '../test/locks.ts'

const app = await testApp()

describe('deleting the account of somebody else', () => {
  // each test begins without admins
  beforeEach(async () => {
    await app.db`update auth.users set is_admin = false`
  })

  const remove = (who: Person, id: string, more: object = {}) => who.post('/functions/v1/delete-user', { id, ...more })
  const exists = async (who: Person) => (await app.db`select 1 from auth.users where id = ${who.id}`).length === 1
  const entriesAbout = (id: string) =>
    app.db<{ id: string; actor_id: string | null; action: string; subject: string; reason_encrypted: Buffer | null }[]>`
      select id, actor_id, action, subject, reason_encrypted from audit_log where subject_id = ${id}`

  test('is for admins, who give a reason; the log records actor, subject and reason, and no address', async () => {
    const admin = await createAdmin(app)
    const person = await app.user({ email: 'zacharie.beaulieu@example.com' })
    const { plate } = await app.vehicle(person)
    const { status, body } = await remove(admin, person.id, { reason: '  Threats in messages.  ' })
    assert.deepEqual([status, body], [200, {}])
    assert.equal((await person.get('/api/vehicles')).status, 401)
    assert.equal((await admin.post('/api/messages', { plate, content: 'gone?' })).body.code, 'plate_not_registered')

    const [entry, ...more] = await entriesAbout(person.id)
    assert.equal(more.length, 0)
    assert.deepEqual([entry?.actor_id, entry?.action, entry?.subject], [admin.id, 'user_deleted', 'z•••@•••.com'])
    assert.ok(entry?.reason_encrypted && !entry.reason_encrypted.includes('Threats'))
    assert.equal(
      decryptText(app.context.keyring, reasonAssociatedData(entry.id), entry.reason_encrypted),
      'Threats in messages.',
    )
    assert.equal((await app.db`select 1 from audit_log a where a::text like '%beaulieu%'`).length, 0)
  })

  test('does not record deletions of one’s own account, not even an admin’s', async () => {
    const [admin, person] = [await createAdmin(app), await app.user()]
    await createAdmin(app)
    for (const who of [person, admin]) {
      assert.equal((await remove(who, who.id, { reason: 'I leave' })).status, 200)
      assert.ok((await entriesAbout(who.id)).every(({ action }) => action !== 'user_deleted'))
    }
  })

  test('is refused for the last admin, even to themselves, until there is a second one', async () => {
    const [one, other] = await createTwoUsers(app)
    await grantAdmin(app.db, one.email)
    const { status, body } = await remove(one, one.id)
    assert.deepEqual([status, body.code], [409, 'last_admin'])
    assert.ok(await exists(one))

    await grantAdmin(app.db, other.email)
    assert.equal((await remove(other, one.id)).status, 200)
    assert.equal((await remove(other, other.id)).body.code, 'last_admin')
  })

  test('keeps one of two admins who concurrently delete each other, or themselves', async () => {
    for (let round = 0; round < 6; round++) {
      const [one, other] = await createTwoUsers(app)
      await app.db`update auth.users set is_admin = id in (${one.id}, ${other.id})`
      const each = round % 2 === 0
      const responses = await Promise.all([
        remove(one, each ? other.id : one.id),
        remove(other, each ? one.id : other.id),
      ])
      const statuses = responses.map(({ status }) => status).sort()
      assert.equal(statuses[0], 200)
      assert.ok([401, 409].includes(statuses[1]!), statuses.join())
      assert.equal((await app.db`select 1 from auth.users where is_admin`).length, 1)
    }
  })

  test('is refused to an admin whose role is revoked at that moment', async () => {
    const [admin, person] = [await createAdmin(app), await app.user()]
    await createAdmin(app)
    // the role is revoked while the request waits for the account
    const response = app.db.begin(async (tx) => {
      await tx`select 1 from auth.users where id = ${admin.id} for update`
      const waiting = remove(admin, person.id)
      await waitForLockWaits(app.db)
      await tx`update auth.users set is_admin = false where id = ${admin.id}`
      return { waiting }
    })
    const { status, body } = await (await response).waiting
    assert.deepEqual([status, body.code], [403, 'forbidden'])
    assert.ok(await exists(person))
  })
})
