import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { type Person, type TestApp, testApp } from '../test/app.ts'
import { openStream } from '../test/event-stream.ts'
import { eventually } from '../test/eventually.ts'
import { drawPng, storedFileName, uploadImage } from '../test/upload.ts'

const remove = (who: Person, id = who.id, more: object = {}) => who.post('/functions/v1/delete-user', { id, ...more })

/** Finds every row of every table that contains one of these values in any column, as `table: row`. */
async function rowsWith({ db }: TestApp, values: string[]): Promise<string[]> {
  const tables = await db<{ name: string }[]>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    -- ids of what is gone, for 90 days, so that no backup brings it back (decision backup-and-restore)
    where schemaname in ('auth', 'public') and tablename <> 'deletions'`
  assert.ok(tables.length > 15, 'the tables were found')
  const found: string[] = []
  for (const { name } of tables) {
    const rows = await db.unsafe<{ row: string }[]>(`select to_jsonb(t)::text as row from ${name} t`)
    for (const { row } of rows)
      if (values.some((value) => row.includes(value))) found.push(`${name}: ${row.slice(0, 300)}`)
  }
  return found
}

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
    assert.ok((await rowsWith(app, [leaver.id, leaver.email])).length > 10, 'there was a lot to delete')

    const response = await remove(leaver)
    assert.deepEqual([response.status, response.body], [200, {}])

    assert.deepEqual(await rowsWith(app, [leaver.id, leaver.email, 'Partante']), [])
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

  test('loses its sessions and open streams immediately, also those of other devices', async () => {
    const person = await app.user()
    const phone = await app.signIn(person.email, person.password)
    const streams = [await openStream(app.url, person.token), await openStream(app.url, phone.token)]
    await Promise.all(streams.map((stream) => stream.next(({ event }) => event === 'unread')))

    assert.equal((await remove(person)).status, 200)

    await Promise.all(streams.map((stream) => stream.end()))
    for (const device of [person, phone]) {
      const { status, body } = await device.get('/api/vehicles')
      assert.deepEqual([status, body.code], [401, 'session_ended'])
      const refresh = { refresh_token: device.refreshToken }
      assert.equal((await app.visitor.post('/auth/v1/token?grant_type=refresh_token', refresh)).status, 400)
    }
    const { email, password } = person
    const signIn = await app.visitor.post('/auth/v1/token?grant_type=password', { email, password })
    assert.equal(signIn.body.error_code, 'invalid_credentials')
    assert.equal((await remove(person)).status, 401)
  })

  test('frees its address for a new account, which inherits nothing', async () => {
    const [first, friend] = [await app.user(), await app.user()]
    const { plate } = await app.vehicle(friend)
    const id = await send(first, plate, 'before')
    await remove(first)
    const again = await app.user({ email: first.email })
    assert.notEqual(again.id, first.id)
    assert.deepEqual((await again.get('/api/messages?view=sent')).body.items, [])
    assert.equal((await again.get(`/api/messages/${id}`)).status, 404)
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
