import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { Temporal } from 'temporal-polyfill'
import { grantAdmin } from '../auth/admin-role.ts'
import type { Pool } from '../db/pool.ts'
import { type Person, testApp } from '../test/app.ts'
import { openStream } from '../test/event-stream.ts'
import { eventually } from '../test/eventually.ts'
import { startFakePushService } from '../test/fake-push-service.ts'
import { sendMessage } from '../test/messages.ts'
import { suspend } from '../test/sanctions.ts'
import { join } from '../test/vehicle-people.ts'
import { MINUTE_MS } from '../time.ts'
import { escalateMessage } from './escalate-message.ts'
import { type DueStep, listDueSteps } from './escalation-queries.ts'

const service = await startFakePushService()
// this process does no jobs, so that a test decides when a step is done, and by whom
const app = await testApp({ settings: { ROLE: 'web', PUSH_HOSTS: service.origin } })
const sender = await app.user()
const admin = await app.user()
assert.ok(await grantAdmin(app.db, admin.email))
after(async () => {
  await app.close()
  await service.close()
})

/** Who of the people of a vehicle is notified of a message, and when (decision vehicle-people). The tests drive the clock of the steps. */
describe('people of a vehicle are notified', () => {
  const send = (plate: string, more?: object) => sendMessage(sender, plate, undefined, more)
  async function family({ holder }: { holder?: 'owner' | 'driver' } = {}) {
    const [owner, driver, other] = [await app.user(), await app.user(), await app.user()]
    const vehicle = await app.vehicle(owner)
    for (const person of [driver, other]) await join(owner, vehicle.id, person)
    const people = { owner, driver, other }
    if (holder) assert.equal((await people[holder].put(`/api/vehicles/${vehicle.id}/holder`, {})).status, 200)
    return { ...people, vehicle, plate: vehicle.plate }
  }
  const stepsOf = async (messageId: string, now: Date): Promise<DueStep[]> =>
    (await listDueSteps(app.db, now, 1_000)).filter((due) => due.messageId === messageId)
  /** Does what is due so many minutes from now, as a worker does, until nothing is. */
  async function passTime(messageId: string, minutes = 0) {
    const now = new Date(Date.now() + minutes * MINUTE_MS)
    for (let due = await stepsOf(messageId, now); due.length > 0; due = await stepsOf(messageId, now)) {
      for (const step of due) await escalateMessage(app.context, step, now)
    }
  }
  const notificationsOf = async (messageId: string, type = 'message_received'): Promise<string[]> =>
    (
      await app.db<{ user_id: string }[]>`
        select user_id from notifications where message_id = ${messageId} and type = ${type} order by number`
    ).map(({ user_id }) => user_id)
  const assertNotified = async (messageId: string, people: Person[], type?: string) =>
    assert.deepEqual((await notificationsOf(messageId, type)).toSorted(), people.map(({ id }) => id).toSorted())
  const mailedTo = async (messageId: string): Promise<string[]> =>
    (
      await app.db<{ recipient_id: string }[]>`
        select recipient_id from outbox where ref_id = ${messageId} and kind = 'message'`
    ).map((row) => row.recipient_id)

  test('the holder first, the others after 2, 5 or 15 minutes by the reason, and for a courtesy never', async () => {
    const { owner, driver, other, plate } = await family({ holder: 'driver' })
    for (const [reason, minutes] of [
      ['someone_inside', 2],
      ['towing', 2],
      ['blocked_in', 5],
      ['accident', 15],
      [undefined, 15],
      ['lights_on', null],
      ['flat_or_leak', null],
    ] as const) {
      const id = await send(plate, reason ? { reason } : {})
      await assertNotified(id, [driver]) // by the send itself
      await passTime(id)
      await assertNotified(id, [driver])
      assert.deepEqual(await mailedTo(id), [driver.id])
      // all may read it meanwhile
      for (const person of [owner, driver, other]) {
        assert.equal((await person.get(`/api/messages/${id}`)).status, 200)
      }
      await passTime(id, (minutes ?? 60) - 0.1)
      await assertNotified(id, [driver])
      await passTime(id, minutes ?? 600)
      await assertNotified(id, minutes === null ? [driver] : [owner, driver, other])
    }
  })

  test('nothing more after the first answer; those who were notified read that somebody is on the way', async () => {
    const { owner, driver, other, plate, vehicle } = await family({ holder: 'driver' })
    const early = await send(plate, { reason: 'blocked_in' })
    await passTime(early)
    assert.equal((await driver.post(`/api/messages/${early}/reply`, { answer: 'coming' })).status, 200)
    await passTime(early, 60)
    await assertNotified(early, [driver])
    await assertNotified(early, [], 'message_answered')

    const late = await send(plate, { reason: 'blocked_in' })
    await passTime(late, 6)
    const streams = await Promise.all([openStream(app.url, owner.token), openStream(app.url, other.token)])
    const { body: mine } = await driver.post(`/api/messages/${late}/reply`, { answer: 'in_5' })
    assert.equal(mine.replied_by_me, true)
    for (const stream of streams) {
      const event = await stream.next(
        ({ event, data }) => event === 'notification' && data.includes('message_answered'),
      )
      assert.deepEqual(JSON.parse(event.data).data, { plate, message_id: late, vehicle_id: vehicle.id })
      await stream.close()
    }
    await assertNotified(late, [owner, other], 'message_answered')
    for (const person of [owner, other]) {
      const { body } = await person.get(`/api/messages/${late}`)
      assert.deepEqual([body.answer, body.replied_by_me, body.is_read], ['in_5', false, false])
    }
    const { body: sent } = await sender.get(`/api/messages/${late}`)
    assert.equal(sent.progress, 'on_the_way')
  })

  test('by exactly one of two answers at the same moment', async () => {
    const { owner, driver, other, plate } = await family()
    for (let round = 0; round < 4; round++) {
      const id = await send(plate)
      await passTime(id)
      const responses = await Promise.all(
        [owner, driver, other].map((person) => person.post(`/api/messages/${id}/reply`, { reply: person.id })),
      )
      assert.deepEqual(responses.map(({ status }) => status).toSorted(), [200, 409, 409])
      const won = [owner, driver, other][responses.findIndex(({ status }) => status === 200)]!
      assert.equal((await sender.get(`/api/messages/${id}`)).body.reply, won.id)
      const [row] = await app.db<{ n: number }[]>`
        select count(*)::int as n from notifications where message_id = ${id} and type = 'message_replied'`
      assert.equal(row!.n, 1)
      await assertNotified(
        id,
        [owner, driver, other].filter((person) => person !== won),
        'message_answered',
      )
    }
  })

  test('once, by two workers at one moment and by one that is killed in the middle', async () => {
    const { owner, driver, other, plate } = await family({ holder: 'driver' })
    const id = await send(plate, { reason: 'blocked_in' })
    const dead = new Error('killed')
    for (const [minutes, step] of [
      [0, 'share'],
      [6, 'everybody'],
    ] as const) {
      const now = new Date(Date.now() + minutes * MINUTE_MS)
      const before = await notificationsOf(id)
      // a killed process ends its transaction: whatever it did in it is gone, and the step is still there
      await assert.rejects(
        app.db.begin(async (tx) => {
          const killed = { ...app.context, db: { begin: (run: never) => tx.savepoint(run) } as unknown as Pool }
          assert.equal(await escalateMessage(killed, { messageId: id, step }, now), true)
          throw dead
        }),
        dead,
      )
      assert.deepEqual(await notificationsOf(id), before)
      assert.deepEqual(await stepsOf(id, now), [{ messageId: id, step }])
      const done = await Promise.all(
        Array.from({ length: 4 }, () => escalateMessage(app.context, { messageId: id, step }, now)),
      )
      assert.equal(done.filter(Boolean).length, 1)
    }
    await assertNotified(id, [owner, driver, other])
    assert.equal((await mailedTo(id)).length, 3)
  })

  test('by whichever process is there, at the time of the step, and in quiet hours only of danger', async (t) => {
    const { owner, driver, other, plate } = await family({ holder: 'driver' })
    const clock = (hours: number) =>
      Temporal.Now.zonedDateTimeISO('America/Toronto').add({ hours }).toPlainTime().toString({ smallestUnit: 'minute' })
    const quiet = { quiet_from: clock(-1), quiet_until: clock(2), time_zone: 'America/Toronto' }
    assert.equal((await other.patch('/api/preferences', quiet)).status, 200)
    const browsers = new Map<Person, ReturnType<typeof service.browser>>()
    for (const person of [owner, driver, other]) {
      const browser = service.browser()
      browsers.set(person, browser)
      const device = { endpoint: browser.endpoint, keys: browser.keys }
      assert.equal((await person.post('/api/push/subscriptions', device)).status, 204)
    }
    // two processes with jobs; what was sent before they started waits in the database
    const ids = [await send(plate, { reason: 'blocked_in' }), await send(plate, { reason: 'someone_inside' })]
    const settings = { PUSH_HOSTS: service.origin }
    const workers = await Promise.all([testApp({ settings, sibling: app }), testApp({ settings, sibling: app })])
    t.after(() => Promise.all(workers.map((one) => one.close())))
    await browsers.get(driver)!.pushes(2)
    for (const id of ids)
      await eventually(async () => ((await stepsOf(id, new Date())).length === 0 ? true : undefined))
    assert.deepEqual(browsers.get(owner)!.taken(), [])
    // the time of the step
    await app.db`update message_steps set due_at = now() where message_id = any(${ids}::uuid[])`
    await browsers.get(owner)!.pushes(2)
    const [urgent] = await browsers.get(other)!.pushes(1)
    assert.match(urgent!.payload.body, /child or an animal/)
    await eventually(async () => {
      const waiting = await app.db`
        select from push_subscriptions s join notification_counters c using (user_id)
        where s.user_id = ${other.id} and (s.pushed_number < c.last_number or s.lease_token is not null)`
      return waiting.length === 0 ? true : undefined
    })
    assert.equal(browsers.get(other)!.taken().length, 1)
    assert.equal(browsers.get(driver)!.taken().length, 2)
    for (const id of ids) await assertNotified(id, [owner, driver, other])
  })

  test('a reminder reaches those who were notified, once, and reveals nothing to its sender', async () => {
    const { owner, driver, plate } = await family({ holder: 'driver' })
    const alone = await app.vehicle(await app.user())
    const blocker = await app.user()
    const blocked = await app.vehicle(blocker)
    const earlier = await send(blocked.plate)
    const [shared, single, reachesNobody] = [
      await send(plate, { reason: 'lights_on' }),
      await send(alone.plate, { reason: 'lights_on' }),
      await send(blocked.plate, { reason: 'lights_on' }),
    ]
    assert.equal((await blocker.post(`/api/messages/${earlier}/block`)).status, 204)
    for (const id of [shared, single, reachesNobody]) {
      await passTime(id)
      assert.equal((await sender.get(`/api/messages/${id}`)).body.progress, null)
      const { status, body } = await sender.post(`/api/messages/${id}/nudge`)
      assert.deepEqual([status, body.code], [409, 'nudge_not_now'])
    }
    await app.db`update messages set inserted_at = inserted_at - interval '10 minutes' where sender_id = ${sender.id}`
    const views = []
    for (const id of [shared, single, reachesNobody]) {
      assert.equal((await owner.post(`/api/messages/${id}/nudge`)).status, 404) // it is the sender's
      const { status, body } = await sender.post(`/api/messages/${id}/nudge`)
      assert.equal(status, 200)
      assert.deepEqual([body.progress, body.nudged], ['no_answer', true])
      const { id: _, plate: __, inserted_at: ___, kept_until: ____, ...rest } = body
      views.push(rest)
      assert.equal((await sender.post(`/api/messages/${id}/nudge`)).body.code, 'nudge_not_now')
      await passTime(id)
    }
    assert.deepEqual(views[1], views[0])
    assert.deepEqual(views[2], views[0])
    await assertNotified(shared, [driver], 'message_nudged') // a courtesy: nobody else was notified
    assert.equal((await notificationsOf(single, 'message_nudged')).length, 1)
    assert.deepEqual(await notificationsOf(reachesNobody, 'message_nudged'), [])
    assert.deepEqual(await notificationsOf(shared, 'message_received'), [driver.id])
  })

  /** Sends a message that everybody of the vehicle is notified of, and lets ten minutes pass. */
  const sendUnanswered = async (plate: string) => {
    const id = await send(plate, { reason: 'blocked_in' })
    await passTime(id)
    await app.db`update messages set inserted_at = inserted_at - interval '10 minutes' where id = ${id}`
    return id
  }
  const nudge = async (id: string) => {
    const { status, body, text } = await sender.post(`/api/messages/${id}/nudge`)
    assert.equal(status, 200, text)
    assert.deepEqual([body.progress, body.nudged], ['no_answer', true])
  }
  const remindedByMail = async (id: string): Promise<string[]> =>
    (
      await app.db<{ recipient_id: string }[]>`
        select recipient_id from outbox where ref_id = ${id} and kind = 'nudge'`
    ).map((row) => row.recipient_id)

  test('a reminder reaches no driver who has blocked its sender or is suspended, nor does one suspended read of an answer', async () => {
    const { owner, driver, other, plate } = await family()
    const id = await sendUnanswered(plate)
    await assertNotified(id, [owner, driver, other])
    assert.equal((await driver.post(`/api/messages/${id}/block`)).status, 204)
    await suspend(admin, other)
    await nudge(id)
    await passTime(id)
    await assertNotified(id, [owner], 'message_nudged')
    assert.deepEqual(await remindedByMail(id), [owner.id])
    assert.equal((await driver.post(`/api/messages/${id}/reply`, { answer: 'coming' })).status, 200)
    await assertNotified(id, [owner], 'message_answered')
  })

  test('a reminder reaches nobody whose owner blocks its sender before it is done', async () => {
    const { owner, plate } = await family()
    const id = await sendUnanswered(plate)
    await nudge(id)
    assert.equal((await owner.post(`/api/messages/${id}/block`)).status, 204)
    await passTime(id)
    await assertNotified(id, [], 'message_nudged')
    assert.deepEqual(await remindedByMail(id), [])
  })

  test('nobody is reminded of a message whose reply moderators have removed: it cannot be answered again', async () => {
    const { owner, plate } = await family()
    const id = await sendUnanswered(plate)
    assert.equal((await owner.post(`/api/messages/${id}/reply`, { reply: 'an insult' })).status, 200)
    assert.equal((await sender.post(`/api/messages/${id}/report`, { reason: 'harassment' })).status, 201)
    const [reported] = await app.db<{ id: string }[]>`select id from report_cases where message_id = ${id}`
    const decision = { action: 'delete_message', reason: 'an insult' }
    const decided = await admin.post(`/api/admin/reports/${reported!.id}/decide`, decision)
    assert.equal(decided.status, 200, decided.text)
    await nudge(id)
    await passTime(id)
    await assertNotified(id, [], 'message_nudged')
    assert.deepEqual(await remindedByMail(id), [])
  })
})
