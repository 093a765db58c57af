import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { accepted, type Person, testApp } from '../test/app.ts'
import { deleteReported } from '../test/cases.ts'
import { createAdmin } from '../test/disputes.ts'
import { openStream } from '../test/event-stream.ts'
import { fieldsOf } from '../test/fields.ts'
import { sendMessage } from '../test/messages.ts'
import { suspend } from '../test/sanctions.ts'
import { join } from '../test/vehicle-people.ts'

const app = await testApp({ settings: { ROLE: 'web' } }) // no jobs run: queued emails stay to be counted
const [sender, admin] = [await app.user(), await createAdmin(app)]

/** The first of a vehicle's people who answers does so for all (decision vehicle-people). That they get the same is in comparison.test.ts. */
describe('people of a vehicle', () => {
  const send = (plate: string, more?: object) => sendMessage(sender, plate, undefined, more)
  async function family() {
    const [owner, driver, other] = [await app.user(), await app.user(), await app.user()]
    const vehicle = await app.vehicle(owner)
    for (const person of [driver, other]) await join(owner, vehicle.id, person)
    return { owner, driver, other, vehicle, plate: vehicle.plate }
  }
  const assertNotified = async (messageId: string, people: Person[], type: string) => {
    const rows = await app.db`select user_id from notifications where message_id = ${messageId} and type = ${type}`
    assert.deepEqual(fieldsOf(rows, 'user_id').toSorted(), fieldsOf(people, 'id').toSorted())
  }
  const assertMailed = async (messageId: string, people: Person[], kind: string) => {
    const rows = await app.db`select recipient_id from outbox where ref_id = ${messageId} and kind = ${kind}`
    assert.deepEqual(fieldsOf(rows, 'recipient_id').toSorted(), fieldsOf(people, 'id').toSorted())
  }

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

  const letPass = (id: string, time: string) =>
    app.db`update messages set inserted_at = inserted_at - ${time}::interval where id = ${id}`
  /** Sends a message and lets ten minutes pass. */
  const sendUnanswered = async (plate: string) => {
    const id = await send(plate, { reason: 'lights_on' })
    await letPass(id, '10 minutes')
    return id
  }
  const nudge = async (id: string) => {
    const body = await accepted(sender.post(`/api/messages/${id}/nudge`))
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
    await deleteReported(app, admin, id)
    await nudge(id)
    await assertNotified(id, [], 'message_nudged')
    await assertMailed(id, [], 'nudge')
  })
})
