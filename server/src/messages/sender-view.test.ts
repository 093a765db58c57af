import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { type Person, testApp } from '../test/app.ts'
import { eventually } from '../test/eventually.ts'
import { endDigestPause } from '../test/message-mail-harness.ts'
import { sendMessage, whileNew } from '../test/messages.ts'
import { type SmtpFault, startSmtpInbox } from '../test/smtp-inbox.ts'
import { downloadImage, PIXEL, uploadImage } from '../test/upload.ts'
import { join } from '../test/vehicle-people.ts'

const UNKNOWN_ID = '01900000-0000-7000-8000-000000000000'

/** How the mail server treats each recipient. */
const faults = new Map<string, SmtpFault>()
const inbox = await startSmtpInbox({ recipient: (address) => faults.get(address) })
const app = await testApp({ settings: { SMTP_URL: inbox.url } })
const sender = await app.user()
after(() => inbox.close())

/** What a sender sees depends on nothing about the recipient (decision mutual-anonymity). */
describe('a sender', () => {
  const send = (plate: string) => sendMessage(sender, plate)
  const statusesOf = (ids: string[]): Promise<string[]> =>
    Promise.all(ids.map(async (id) => (await sender.get(`/api/messages/${id}`)).body.email_status))
  const advanceTime = async (ids: string[], span: string) => {
    await app.db`
      update messages set inserted_at = inserted_at - ${span}::interval, email_failed_at = email_failed_at - ${span}::interval
      where id = any(${ids}::uuid[])`
  }
  /** Waits until the emails about these messages have been tried and are not being sent. */
  const untilTried = (ids: string[]) =>
    eventually(async () => {
      const tried = await app.db`
        select from outbox where ref_id = any(${ids}::uuid[]) and kind = 'message' and attempts > 0 and lease_token is null`
      return tried.length === ids.length ? true : undefined
    })
  /** Lets the pause after an owner's last email pass. */
  const passPause = async (owner: Person) => {
    await endDigestPause(app.db, owner.id)
    app.context.outbox.wake()
  }

  test('sees the same states for two plates of one owner and of two, through every phase of their emails', async () => {
    const [owner, another] = [await app.user(), await app.user()]
    const [one, two] = [await app.vehicle(owner), await app.vehicle(owner)]
    const apart = await app.vehicle(another)
    await send(one.plate)
    await inbox.to(owner.email)

    // the first waits for its owner's next email, the second could be emailed at once and is refused for now
    faults.set(another.email, 451)
    const ids = [await send(two.plate), await send(apart.plate)]
    const whileTheyAreNew = () => whileNew(app.db, ids, () => statusesOf(ids))
    const phases = [await whileTheyAreNew()]
    await untilTried([ids[1]!])
    phases.push(await whileTheyAreNew())
    await advanceTime(ids, '4 seconds')
    phases.push(await statusesOf(ids))
    // the pause is over, and the owner's email is refused for now, too
    faults.set(owner.email, 451)
    await passPause(owner)
    await untilTried(ids)
    phases.push(await statusesOf(ids))
    faults.clear()
    await passPause(owner)
    phases.push(await statusesOf(ids))
    await passPause(another)
    await Promise.all([inbox.to(owner.email, 2), inbox.to(another.email)])
    phases.push(await statusesOf(ids))

    const [queued, sent] = [
      ['queued', 'queued'],
      ['sent', 'sent'],
    ]
    assert.deepEqual(phases, [queued, queued, sent, sent, sent, sent])
  })

  test('sees that an email was refused for good 10 to 60 minutes later, for each message at a time of its own', async () => {
    const owner = await app.user()
    const { plate } = await app.vehicle(owner)
    faults.set(owner.email, 550)
    const ids: string[] = []
    for (let i = 0; i < 24; i++) ids.push(await send(plate))
    const untilRefused = () =>
      eventually(async () => {
        const refused = await app.db`
          select from outbox where ref_id = any(${ids}::uuid[]) and kind = 'message' and failed_at is not null`
        if (refused.length === ids.length) return true
        await passPause(owner)
        return undefined
      })
    await untilRefused()
    const failed = async () => (await statusesOf(ids)).filter((status) => status === 'failed').length
    await advanceTime(ids, '9 minutes 50 seconds')
    assert.equal(await failed(), 0)
    await advanceTime(ids, '25 minutes')
    const some = await failed()
    assert.ok(some > 0 && some < ids.length, `${some} of ${ids.length}`)
    await advanceTime(ids, '25 minutes 10 seconds')
    assert.deepEqual(new Set(await statusesOf(ids)), new Set(['failed']))
    // not even the end of the owner's account takes it back
    await owner.post('/functions/v1/delete-user', { id: owner.id })
    assert.deepEqual(new Set(await statusesOf(ids)), new Set(['failed']))
  })

  test('sees nothing of an email to a driver that was refused: the owner has been notified', async () => {
    const [owner, driver] = [await app.user(), await app.user()]
    const vehicle = await app.vehicle(owner)
    await join(owner, vehicle.id, driver)
    faults.set(driver.email, 550)
    const id = await send(vehicle.plate)
    await eventually(async () => {
      const [refused] = await app.db`
        select from outbox
        where ref_id = ${id} and kind = 'message' and recipient_id = ${driver.id} and failed_at is not null`
      return refused
    })
    await advanceTime([id], '1 hour')
    assert.deepEqual(await statusesOf([id]), ['sent'])
  })

  describe('keeps a copy', () => {
    const removals: [string, (owner: Person, vehicle: { id: string }) => Promise<unknown>][] = [
      ['deletes the vehicle', (owner, { id }) => owner.delete(`/api/vehicles/${id}`)],
      ['deletes the account', (owner) => owner.post('/functions/v1/delete-user', { id: owner.id })],
    ]
    for (const [what, remove] of removals) {
      test(`as it was when the owner ${what}, and the owner has none`, async () => {
        const [owner, writer] = [await app.user(), await app.user()]
        const vehicle = await app.vehicle(owner)
        const image = (await uploadImage(writer, PIXEL)).body
        const input = { plate: vehicle.plate, content: 'Your lights are on', attachment_id: image.id }
        const { id } = (await writer.post('/api/messages', input)).body
        const plain = (await writer.post('/api/messages', { plate: vehicle.plate, content: 'Hello' })).body.id
        await owner.post(`/api/messages/${id}/reply`, { reply: 'Thank you' })
        await inbox.to(owner.email)
        await advanceTime([id, plain], '1 minute')
        const everything = async () => ({
          list: (await writer.get('/api/messages?view=sent')).body,
          one: (await writer.get(`/api/messages/${id}`)).body,
          notifications: (await writer.get('/api/notifications')).body,
          image: (await downloadImage(app.url + image.url)).status,
        })
        const before = await everything()
        await remove(owner, vehicle)
        assert.deepEqual(await everything(), before)
        assert.equal(before.list.items.length, 2)
        assert.deepEqual([before.one.reply, before.one.image_url, before.image], ['Thank you', image.url, 200])
        const left = await app.db`
          select from notifications where message_id = any(${[id, plain]}::uuid[]) and type = 'message_received'
          union all select from outbox where ref_id = any(${[id, plain]}::uuid[]) and kind = 'message'`
        assert.equal(left.length, 0)
      })
    }
  })

  test('learns nothing about a plate from an image that is not theirs', async () => {
    const live = await app.vehicle(await app.user())
    const waiting = await app.vehicle(await app.user(), { status: 'pending_verification' })
    const own = await app.vehicle(sender)
    const responses = []
    for (const plate of [live.plate, waiting.plate, own.plate, 'NOBODY1'])
      responses.push(await sender.post('/api/messages', { plate, content: 'x', attachment_id: UNKNOWN_ID }))
    for (const { status, body } of responses)
      assert.deepEqual([status, body], [409, { error: responses[0]!.body.error, code: 'attachment_unknown' }])
  })
})
