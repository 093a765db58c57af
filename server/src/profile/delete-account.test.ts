import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, test } from 'node:test'
import { reasonAssociatedData } from '../audit/record-action.ts'
import { grantAdmin } from '../auth/admin-role.ts'
import { decryptText } from '../encryption/envelope-encryption.ts'
import { type Person, testApp } from '../test/app.ts'
import { createAdmin, createTwoUsers } from '../test/disputes.ts'
import { eventually } from '../test/eventually.ts'
import { findRowsWith } from '../test/find-in-clear.ts'
import { waitForLockWaits } from '../test/locks.ts'
import { drawPng, storedFileName, uploadImage } from '../test/upload.ts'

const remove = (who: Person, id = who.id, more: object = {}) => who.post('/functions/v1/delete-user', { id, ...more })

const app = await testApp()

describe('an account that is deleted', () => {
  const upload = async (who: Person) => {
    const { status, body } = await uploadImage(who, await drawPng())
    assert.equal(status, 201)
    return body as { id: string; url: string }
  }
  const send = async (who: Person, plate: string, content: string, attachment?: string) => {
    const message = { plate, content, ...(attachment && { attachment_id: attachment }) }
    const { status, body, text } = await who.post('/api/messages', message, {
      'idempotency-key': `${who.id}-${content.length}`,
    })
    assert.equal(status, 201, text)
    return body.id as string
  }
  const imageStatus = async (url: string) => (await fetch(app.url + url)).status
  const hasFile = (name: string) =>
    existsSync(join(app.config.DATA_DIR, 'attachments', name.slice(0, 2), name.slice(2, 4), name))

  test('leaves no trace of the person in any table, and deletes their images from the disk', async () => {
    const [leaver, friend] = [await app.user({ full_name: 'Zoé Partante' }), await app.user()]
    const [own, other] = [await app.vehicle(leaver), await app.vehicle(friend)]
    await leaver.patch('/api/preferences', { email_messages: true })
    await leaver.put('/auth/v1/user', { password: 'Other-horse-8', current_password: 'wrong' })
    const [theirs, mine, waiting] = [await upload(friend), await upload(leaver), await upload(leaver)]
    const waitingFile = await storedFileName(app, waiting)
    assert.ok(hasFile(waitingFile))
    const received = await send(friend, own.plate, 'to-leaver', theirs.id)
    const sent = await send(leaver, other.plate, 'from-leaver', mine.id)
    assert.equal((await leaver.post(`/api/messages/${received}/reply`, { reply: 'thanks' })).status, 200)
    assert.equal((await friend.post(`/api/messages/${sent}/reply`, { reply: 'noted' })).status, 200)
    await app.visitor.post('/auth/v1/recover', { email: leaver.email })
    await leaver.get('/api/export')
    await app.mails(leaver.email, 3)
    assert.ok((await findRowsWith(app.db, [leaver.id, leaver.email])).length > 10, 'there was a lot to delete')

    const response = await remove(leaver)
    assert.deepEqual([response.status, response.body], [200, {}])

    assert.deepEqual(await findRowsWith(app.db, [leaver.id, leaver.email, 'Partante']), [])
    assert.deepEqual(await app.visitor.get(`/dev/mailbox.json?to=${leaver.email}`).then(({ body }) => body), [])
    assert.equal(await imageStatus(waiting.url), 404)
    await eventually(async () => (hasFile(waitingFile) ? undefined : true))
    await eventually(async () => ((await app.db`select name from files_to_delete`).length === 0 ? true : undefined))

    // what was sent stays with the other side: the recipient's copy without its sender, the sender's without the vehicle
    const message = (await friend.get(`/api/messages/${sent}`)).body
    assert.deepEqual([message.content, message.reply, message.image_url], ['from-leaver', 'noted', mine.url])
    assert.equal(await imageStatus(mine.url), 200)
    const copy = (await friend.get(`/api/messages/${received}`)).body
    assert.deepEqual([copy.content, copy.reply, copy.image_url], ['to-leaver', 'thanks', theirs.url])
    assert.equal(await imageStatus(theirs.url), 200)
    const [row] = await app.db`select vehicle_id from messages where id = ${received}`
    assert.equal(row!['vehicle_id'], null)
  })

  test('has replies to its messages stored without notifying anybody', async () => {
    const [leaver, owner] = [await app.user(), await app.user()]
    const { plate } = await app.vehicle(owner)
    const id = await send(leaver, plate, 'answer me')
    await remove(leaver)
    const { status, body } = await owner.post(`/api/messages/${id}/reply`, { reply: 'too late' })
    assert.deepEqual([status, body.reply], [200, 'too late'])
    assert.equal((await app.db`select 1 from outbox where ref_id = ${id} and kind = 'reply'`).length, 0)
    assert.equal((await owner.get(`/api/messages/${id}`)).body.reply, 'too late')
  })
})

describe('emails around a deletion', () => {
  test('to others are still sent, and those queued for the person are not', async () => {
    // nothing is sent before the worker below starts
    await using app = await testApp({ settings: { ROLE: 'web' } })
    const [leaver, friend] = [await app.user(), await app.user()]
    const [own, other] = [await app.vehicle(leaver), await app.vehicle(friend)]
    await leaver.post('/api/messages', { plate: other.plate, content: 'for the friend' })
    await friend.post('/api/messages', { plate: own.plate, content: 'for the leaver' })

    assert.equal((await remove(leaver)).status, 200)

    await testApp({ sibling: app, settings: { ROLE: 'worker' } })
    const [mail] = await app.mails(friend.email)
    assert.match(mail?.text ?? '', /for the friend/)
    assert.deepEqual((await app.visitor.get('/dev/mailbox.json')).body.length, 1)
  })
})

describe('deleting the account of somebody else', () => {
  // each test begins without admins
  beforeEach(async () => {
    await app.db`update auth.users set is_admin = false`
  })

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
