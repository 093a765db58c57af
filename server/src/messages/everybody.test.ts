import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { Temporal } from 'temporal-polyfill'
import { grantAdmin } from '../auth/admin-role.ts'
import { type Person, testApp } from '../test/app.ts'
import { openStream } from '../test/event-stream.ts'
import { eventually } from '../test/eventually.ts'
import { startFakePushService } from '../test/fake-push-service.ts'
import { fieldsOf } from '../test/fields.ts'
import { sendMessage } from '../test/messages.ts'
import { suspend } from '../test/sanctions.ts'
import { join } from '../test/vehicle-people.ts'

const service = await startFakePushService()
const app = await testApp({ settings: { PUSH_HOSTS: service.origin } })
const sender = await app.user()
const admin = await app.user()
assert.ok(await grantAdmin(app.db, admin.email))
after(() => service.close())

/** Everybody of a vehicle gets its messages at the same moment, and the first who answers does so for all (decision vehicle-people). */
describe('people of a vehicle', () => {
  const send = (plate: string, more?: object) => sendMessage(sender, plate, undefined, more)
  async function family() {
    const [owner, driver, other] = [await app.user(), await app.user(), await app.user()]
    const vehicle = await app.vehicle(owner)
    for (const person of [driver, other]) await join(owner, vehicle.id, person)
    return { owner, driver, other, vehicle, plate: vehicle.plate }
  }
  const assertNotified = async (messageId: string, people: Person[], type: string) => {
    const rows = await app.db<{ user_id: string }[]>`
      select user_id from notifications where message_id = ${messageId} and type = ${type}`
    assert.deepEqual(rows.map(({ user_id }) => user_id).toSorted(), people.map(({ id }) => id).toSorted())
  }
  const assertMailed = async (messageId: string, people: Person[], kind: string) => {
    const rows = await app.db<{ recipient_id: string }[]>`
      select recipient_id from outbox where ref_id = ${messageId} and kind = ${kind}`
    assert.deepEqual(rows.map((row) => row.recipient_id).toSorted(), people.map(({ id }) => id).toSorted())
  }

  test('get a message in the app, by push and by email, each by their own settings', async () => {
    const { owner, driver, other, vehicle, plate } = await family()
    const clock = (hours: number) =>
      Temporal.Now.zonedDateTimeISO('America/Toronto').add({ hours }).toPlainTime().toString({ smallestUnit: 'minute' })
    const quiet = { quiet_from: clock(-1), quiet_until: clock(2), time_zone: 'America/Toronto' }
    assert.equal((await other.patch('/api/preferences', quiet)).status, 200)
    assert.equal((await driver.patch('/api/preferences', { email_messages: false })).status, 200)
    const people = [owner, driver, other]
    const browsers = people.map(() => service.browser())
    for (const [i, { endpoint, keys }] of browsers.entries())
      assert.equal((await people[i]!.post('/api/push/subscriptions', { endpoint, keys })).status, 204)
    const streams = await Promise.all(people.map(({ token }) => openStream(app.url, token)))

    const ids = [await send(plate, { reason: 'blocked_in' }), await send(plate, { reason: 'someone_inside' })]
    for (const stream of streams) {
      for (const id of ids) {
        const { data } = await stream.next(({ event, data }) => event === 'notification' && data.includes(id))
        assert.deepEqual(JSON.parse(data).data, { plate, message_id: id, vehicle_id: vehicle.id })
      }
      await stream.close()
    }
    for (const person of people)
      assert.deepEqual(fieldsOf((await person.get('/api/messages')).body.items, 'id'), ids.toReversed())
    for (const id of ids) {
      await assertNotified(id, people, 'message_received')
      await assertMailed(id, people, 'message')
    }
    for (const browser of browsers.slice(0, 2)) assert.equal((await browser.pushes(2)).length, 2)
    // in quiet hours what cannot wait
    const [urgent] = await browsers[2]!.pushes(1)
    assert.match(urgent!.payload.body, /child or an animal/)
    await eventually(async () => {
      const waiting = await app.db`
        select from outbox where ref_id = any(${ids}::uuid[]) and sent_at is null and not held
        union all
        select from push_subscriptions s join notification_counters c using (user_id)
        where s.user_id = ${other.id} and (s.pushed_number < c.last_number or s.lease_token is not null)`
      await app.db`update digests set next_at = now() where lease_token is null`
      await app.db`update outbox set run_at = now() where sent_at is null and lease_token is null and not held`
      app.context.outbox.wake()
      return waiting.length === 0 || undefined
    })
    assert.equal(browsers[2]!.taken().length, 1)
    const mails = async ({ email }: Person) =>
      (await app.mails(email)).filter(({ subject }) => subject.includes(plate) && !subject.includes('joined'))
    assert.ok((await mails(owner)).length > 0)
    assert.deepEqual(await mails(driver), [])
    assert.deepEqual(
      (await mails(other)).map(({ subject }) => subject.includes('URGENT')),
      [true],
    )
  })

  test('answer once for all, and the others see by whom', async () => {
    const { owner, driver, other, plate, vehicle } = await family()
    const seenBy = async (who: Person, id: string) => {
      const { body } = await who.get(`/api/messages/${id}`)
      return [body.answer, body.replied_by, body.is_read]
    }
    for (const [who, by, answer] of [
      [driver, 'driver', 'in_5'],
      [owner, 'owner', 'thanks'],
    ] as const) {
      const id = await send(plate, { reason: 'blocked_in' })
      const others = [owner, driver, other].filter((person) => person !== who)
      const streams = await Promise.all(others.map(({ token }) => openStream(app.url, token)))
      const otherTab = await openStream(app.url, who.token)
      const { body: mine } = await who.post(`/api/messages/${id}/reply`, { answer })
      assert.equal(mine.replied_by, 'me')
      await otherTab.next(({ event }) => event === 'changed') // where the message may be open too
      await otherTab.close()
      for (const stream of streams) {
        const { data } = await stream.next(
          ({ event, data }) => event === 'notification' && data.includes('message_answered'),
        )
        assert.deepEqual(JSON.parse(data).data, { plate, message_id: id, vehicle_id: vehicle.id, answered_by: by })
        await stream.close()
      }
      await assertNotified(id, others, 'message_answered')
      for (const person of others) {
        assert.deepEqual(await seenBy(person, id), [answer, by, false])
        const listed = (await person.get('/api/messages')).body.items[0]
        assert.deepEqual([listed.id, listed.replied_by], [id, by])
        assert.equal((await person.post(`/api/messages/${id}/reply`, { reply: 'Me too' })).body.code, 'already_replied')
      }
      assert.deepEqual(await seenBy(who, id), [answer, 'me', true])
      const { body: sent } = await sender.get(`/api/messages/${id}`)
      assert.deepEqual([sent.answer, sent.replied_by], [answer, undefined])
    }
  })

  test('answer by exactly one of several answers at the same moment', async () => {
    const { owner, driver, other, plate } = await family()
    for (let round = 0; round < 4; round++) {
      const id = await send(plate)
      const responses = await Promise.all(
        [owner, driver, other].map((person) => person.post(`/api/messages/${id}/reply`, { reply: person.id })),
      )
      assert.deepEqual(responses.map(({ status }) => status).toSorted(), [200, 409, 409])
      const won = [owner, driver, other][responses.findIndex(({ status }) => status === 200)]!
      assert.equal((await sender.get(`/api/messages/${id}`)).body.reply, won.id)
      await assertNotified(id, [sender], 'message_replied')
      await assertNotified(
        id,
        [owner, driver, other].filter((person) => person !== won),
        'message_answered',
      )
    }
  })

  const letPass = (id: string, time: string) =>
    app.db`update messages set inserted_at = inserted_at - ${time}::interval where id = ${id}`
  /** Sends a message and lets ten minutes pass. */
  const sendUnanswered = async (plate: string) => {
    const id = await send(plate, { reason: 'lights_on' })
    await letPass(id, '10 minutes')
    return id
  }
  const nudge = async (id: string) => {
    const { status, body, text } = await sender.post(`/api/messages/${id}/nudge`)
    assert.equal(status, 200, text)
    assert.deepEqual([body.reply, body.nudged], [null, true])
    return body
  }

  test('are reminded once, and the sender cannot tell how many they are, nor whether anybody was', async () => {
    const { owner, driver, other, plate } = await family()
    const [alone, blocker] = [await app.user(), await app.user()]
    const [single, blocked] = [await app.vehicle(alone), await app.vehicle(blocker)]
    const early = await send(plate)
    await letPass(early, '9 minutes 50 seconds')
    const [soon, late] = [await send(plate, { reason: 'blocked_in' }), await send(plate, { reason: 'blocked_in' })]
    await letPass(soon, '4 minutes 50 seconds')
    await letPass(late, '5 minutes')
    for (const id of [early, soon])
      assert.equal((await sender.post(`/api/messages/${id}/nudge`)).body.code, 'nudge_not_now')
    await nudge(late) // somebody stands and waits
    const earlier = await send(blocked.plate)
    assert.equal((await blocker.post(`/api/messages/${earlier}/block`)).status, 204)
    const reachesNobody = await sendUnanswered(blocked.plate)
    const ids = [await sendUnanswered(plate), await sendUnanswered(single.plate), reachesNobody]
    const views = []
    for (const id of ids) {
      assert.equal((await owner.post(`/api/messages/${id}/nudge`)).status, 404) // it is the sender's
      const { id: _, plate: __, inserted_at: ___, kept_until: ____, ...rest } = await nudge(id)
      views.push(rest)
      assert.equal((await sender.post(`/api/messages/${id}/nudge`)).body.code, 'nudge_not_now')
    }
    assert.deepEqual([views[1], views[2]], [views[0], views[0]])
    for (const [i, people] of [[owner, driver, other], [alone], []].entries()) {
      await assertNotified(ids[i]!, people, 'message_nudged')
      await assertMailed(ids[i]!, people, 'nudge')
    }
  })

  test('are reminded of nothing that somebody who is blocked by now has sent, and none who is suspended, who reads of no answer', async () => {
    const { owner, driver, other, plate } = await family()
    const [id, later] = [await sendUnanswered(plate), await sendUnanswered(plate)]
    await suspend(admin, other)
    const missed = await sendUnanswered(plate)
    await assertNotified(missed, [owner, driver], 'message_received')
    await nudge(id)
    await assertNotified(id, [owner, driver], 'message_nudged')
    await assertMailed(id, [owner, driver], 'nudge')
    assert.equal((await driver.post(`/api/messages/${id}/reply`, { answer: 'coming' })).status, 200)
    await assertNotified(id, [owner], 'message_answered')
    assert.equal((await driver.post(`/api/messages/${id}/block`)).status, 204)
    await nudge(later)
    await assertNotified(later, [], 'message_nudged')
    await assertMailed(later, [], 'nudge')
  })

  test('are reminded of no message whose reply moderators have removed: it cannot be answered again', async () => {
    const { owner, plate } = await family()
    const id = await sendUnanswered(plate)
    assert.equal((await owner.post(`/api/messages/${id}/reply`, { reply: 'an insult' })).status, 200)
    assert.equal((await sender.post(`/api/messages/${id}/report`, { reason: 'harassment' })).status, 201)
    const [reported] = await app.db<{ id: string }[]>`select id from report_cases where message_id = ${id}`
    const decision = { action: 'delete_message', reason: 'an insult' }
    const decided = await admin.post(`/api/admin/reports/${reported!.id}/decide`, decision)
    assert.equal(decided.status, 200, decided.text)
    await nudge(id)
    await assertNotified(id, [], 'message_nudged')
    await assertMailed(id, [], 'nudge')
  })
})
