import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { type Person, testApp } from '../test/app.ts'
import { openStream } from '../test/event-stream.ts'
import { eventually } from '../test/eventually.ts'
import { startFakePushService } from '../test/fake-push-service.ts'
import { sendMessage } from '../test/messages.ts'
import { NOT_QUIET, quietNow } from '../test/quiet-hours.ts'

const service = await startFakePushService()
const app = await testApp({ settings: { PUSH_HOSTS: service.origin } })
const sender = await app.user()
after(() => service.close())

/** What quiet hours hold back, and what reaches the owner and the sender all the same (decision quiet-hours). */
describe('in quiet hours', () => {
  const send = (plate: string, more?: object, from = sender) => sendMessage(from, plate, undefined, more)
  const setQuiet = async (who: Person, hours: object) =>
    assert.equal((await who.patch('/api/preferences', hours)).status, 200)
  /** Creates an owner with a vehicle and a device, for whom it is quiet now. */
  async function sleeper() {
    const owner = await app.user()
    await setQuiet(owner, quietNow())
    const { plate } = await app.vehicle(owner)
    const browser = service.browser()
    const { endpoint, keys } = browser
    assert.equal((await owner.post('/api/push/subscriptions', { endpoint, keys })).status, 204)
    return { owner, plate, browser }
  }
  /** Waits until the workers have looked at everything for an owner, and hold it or are done. */
  const untilSettled = (who: Person) =>
    eventually(async () => {
      const rows = await app.db`
        select from outbox where recipient_id = ${who.id} and kind in ('message', 'reply') and sent_at is null
          and (run_at <= now() or lease_token is not null)
        union all
        select from push_subscriptions s join notification_counters c using (user_id)
        where s.user_id = ${who.id} and (s.pushed_number < c.last_number or s.lease_token is not null)`
      return rows.length === 0 ? true : undefined
    })
  const subjectsTo = async (who: Person) => (await app.mails(who.email, 0)).map(({ subject }) => subject)

  test('nothing lights up, the list and the live stream go on, and all of it comes when they end', async (t) => {
    const { owner, plate, browser } = await sleeper()
    const stream = await openStream(app.url, owner.token)
    t.after(() => stream.close())
    for (const reason of ['lights_on', 'accident', 'other', undefined]) await send(plate, reason ? { reason } : {})
    await untilSettled(owner)
    assert.deepEqual([await subjectsTo(owner), browser.taken()], [[], []])
    const { body: unread } = await owner.get('/api/notifications/unread-count')
    assert.equal(unread.count, 4)
    assert.equal((await owner.get('/api/messages')).body.items.length, 4)
    await eventually(async () => (stream.events('notification').length === 4 ? true : undefined))

    await setQuiet(owner, NOT_QUIET)
    const [mail] = await app.mails(owner.email)
    assert.equal(mail!.subject, `4 new messages about your vehicle ${plate}`)
    assert.equal((await browser.pushes(1))[0]!.payload.title, '4 new notifications')
    await untilSettled(owner)
    assert.deepEqual([(await subjectsTo(owner)).length, browser.taken().length], [1, 1])
    await send(plate)
    assert.equal((await browser.pushes(2))[1]!.payload.title, `New message for ${plate}`)
  })

  test('a child inside and a tow truck come at once, and are not announced again when the hours end', async () => {
    const { owner, plate, browser } = await sleeper()
    await send(plate, { reason: 'alarm' })
    await untilSettled(owner)
    await send(plate, { reason: 'someone_inside' })
    assert.match((await browser.pushes(1))[0]!.payload.body, /A child or an animal is inside your vehicle/)
    const [mail] = await app.mails(owner.email)
    assert.match(mail!.text, /A child or an animal is inside your vehicle/)
    assert.doesNotMatch(mail!.text, /Your alarm is going off/)
    await send(plate, { reason: 'towing' })
    assert.match((await browser.pushes(2))[1]!.payload.body, /about to be towed/)
    await untilSettled(owner)
    assert.equal(browser.taken().length, 2)

    await setQuiet(owner, NOT_QUIET)
    assert.match((await browser.pushes(3))[2]!.payload.body, /Your alarm is going off/)
    await untilSettled(owner)
    assert.equal(browser.taken().length, 3)
  })

  test('a reply waits too, unless it is about a life in danger', async () => {
    const { owner: writer, browser } = await sleeper()
    const owner = await app.user()
    const { plate } = await app.vehicle(owner)
    const ids = [
      await send(plate, { reason: 'alarm' }, writer),
      await send(plate, { reason: 'someone_inside' }, writer),
    ]
    for (const id of ids) await owner.post(`/api/messages/${id}/reply`, { reply: '', answer: 'coming' })
    assert.equal((await browser.pushes(1))[0]!.payload.body, 'The owner is coming now.')
    await app.mails(writer.email)
    await untilSettled(writer)
    assert.deepEqual([(await subjectsTo(writer)).length, browser.taken().length], [1, 1])
    await setQuiet(writer, NOT_QUIET)
    await app.mails(writer.email, 2)
    await browser.pushes(2)
  })

  test('the moment at which a held email turns out to fail does not reveal when they ended', async () => {
    const { owner, plate } = await sleeper()
    const ids = await Promise.all(Array.from({ length: 24 }, () => send(plate)))
    await untilSettled(owner)
    // refused for good, as soon as they end
    await app.db`update outbox set failed_at = now() where ref_id = any(${ids}::uuid[]) and held`
    const rows = await app.db<{ minutes: number }[]>`
      select extract(epoch from email_failed_at - now())::float8 / 60 as minutes from messages where id = any(${ids}::uuid[])`
    const minutes = rows.map((row) => row.minutes)
    assert.ok(Math.min(...minutes) > 9 && Math.max(...minutes) < 24 * 60 + 11, minutes.join())
    assert.ok(Math.max(...minutes) > 120, 'some show hours later')
  })
})
