import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Person, testApp } from '../test/app.ts'
import { openStream } from '../test/event-stream.ts'
import { eventually } from '../test/eventually.ts'
import { fieldsOf } from '../test/fields.ts'
import { sendMessage } from '../test/messages.ts'
import { join, myId, peopleOf, shared } from '../test/vehicle-people.ts'

const app = await testApp({ settings: { ROLE: 'web' } })
const sender = await app.user()

/** The people of a vehicle: what they may, and what is left of them (decision vehicle-people). */
describe('people of a vehicle', () => {
  const send = (plate: string, more: object = {}, from = sender) => sendMessage(from, plate, undefined, more)

  test('everybody sees everybody, a driver finds the vehicle in the list and cannot change it', async () => {
    const { owner, driver, vehicle } = await shared(app)
    for (const who of [owner, driver]) {
      const { items, invitations } = await peopleOf(who, vehicle.id)
      assert.deepEqual(
        items.map(({ id: _, joined_at: __, ...person }: Record<string, unknown>) => person),
        [
          { role: 'owner', name: 'Olga Roy', email: owner.email, is_me: who === owner },
          { role: 'driver', name: 'Dan Roy', email: driver.email, is_me: who === driver },
        ],
      )
      assert.deepEqual(invitations, [])
      const [listed] = (await who.get('/api/vehicles')).body.items
      assert.deepEqual([listed.id, listed.role, listed.shared], [vehicle.id, who === owner ? 'owner' : 'driver', true])
    }
    const text = JSON.stringify(await peopleOf(owner, vehicle.id))
    assert.ok(!text.includes(owner.id) && !text.includes(driver.id), 'no ids of accounts')
    for (const response of [
      await driver.patch(`/api/vehicles/${vehicle.id}`, { paused: true }),
      await driver.delete(`/api/vehicles/${vehicle.id}`),
      await driver.post(`/api/vehicles/${vehicle.id}/invitations`),
      await driver.get(`/api/vehicles/${vehicle.id}/documents`),
    ])
      assert.equal(response.status, 404)
    const { status, body } = await driver.post('/api/messages', { plate: vehicle.plate, content: 'Hello' })
    assert.deepEqual([status, body.code], [409, 'own_vehicle'])
    assert.equal((await owner.delete(`/api/vehicles/${vehicle.id}/people/${vehicle.id}`)).body.code, 'owner_stays')
    assert.equal((await driver.delete(`/api/vehicles/${vehicle.id}/people/${vehicle.id}`)).body.code, 'forbidden')
  })

  test('everybody of a vehicle is notified that somebody joined, except that person, and a former driver keeps none of it', async (t) => {
    const { owner, driver, vehicle, plate } = await shared(app)
    const stream = await openStream(app.url, owner.token)
    t.after(() => stream.close())
    const newcomer = await app.user()
    await join(owner, vehicle.id, newcomer)
    const event = await stream.next(({ event }) => event === 'notification')
    assert.deepEqual(JSON.parse(event.data).data, { plate, vehicle_id: vehicle.id })
    await testApp({ sibling: app })
    for (const who of [owner, driver]) {
      const mail = await eventually(async () =>
        (await app.mails(who.email)).find(
          ({ subject }) => subject === `Someone joined your vehicle ${plate} as a driver`,
        ),
      )
      assert.match(mail.text, new RegExp(`/dashboard/vehicles#${vehicle.id}`))
      assert.ok(!mail.text.includes(newcomer.email), 'who it is stands with the vehicle')
    }
    const joinsOf = async (who: Person) =>
      (await who.get('/api/notifications')).body.items.filter(({ type }: { type: string }) => type === 'driver_joined')
    assert.deepEqual([(await joinsOf(owner)).length, (await joinsOf(driver)).length], [2, 1])
    assert.deepEqual(await joinsOf(newcomer), [])
    const leave = async (who: Person) => {
      const address = `/api/vehicles/${vehicle.id}/people/${await myId(who, vehicle.id)}`
      assert.equal((await who.delete(address)).status, 204)
    }
    await leave(newcomer)
    await leave(driver)
    assert.deepEqual(await joinsOf(driver), [])
    assert.equal((await joinsOf(owner)).length, 2) // leaving notifies nobody
  })

  test('a driver reads what came since, each for themselves, and answers', async () => {
    const [owner, driver] = [await app.user(), await app.user()]
    const { id, plate } = await app.vehicle(owner)
    const before = await send(plate)
    await join(owner, id, driver)
    assert.deepEqual((await driver.get('/api/messages')).body.items, [])
    assert.equal((await driver.get(`/api/messages/${before}`)).status, 404)
    assert.equal((await driver.post(`/api/messages/${before}/reply`, { reply: 'Hi' })).status, 404)
    assert.equal((await driver.post(`/api/messages/${before}/block`)).status, 404)
    const since = await send(plate)
    const [message] = (await driver.get('/api/messages')).body.items
    assert.deepEqual([message.id, message.plate, message.is_read], [since, plate, false])
    assert.equal((await driver.patch(`/api/messages/${since}`, { is_read: true })).body.is_read, true)
    assert.equal((await owner.get(`/api/messages/${since}`)).body.is_read, false)
    const dashboards = [await driver.get('/api/dashboard'), await owner.get('/api/dashboard')]
    assert.deepEqual(
      dashboards.map(({ body }) => [body.messages.total, body.messages.unread]),
      [
        [1, 0],
        [2, 2],
      ],
    )
    const reply = await driver.post(`/api/messages/${since}/reply`, { reply: 'On my way' })
    assert.deepEqual([reply.status, reply.body.replied_by], [200, 'me'])
    assert.equal((await owner.post(`/api/messages/${since}/reply`, { reply: 'Me too' })).body.code, 'already_replied')
    const newcomer = await app.user()
    await join(owner, id, newcomer)
    assert.deepEqual((await newcomer.get('/api/messages')).body.items, [])
    assert.deepEqual((await newcomer.get('/api/notifications')).body.items, [])
  })

  test('a former driver hears nothing of what came before and comes after, and nobody hears that they left', async (t) => {
    for (const by of ['driver', 'owner'] as const) {
      const { owner, driver, vehicle, plate } = await shared(app)
      const id = await send(plate)
      const stream = await openStream(app.url, driver.token)
      t.after(() => stream.close())
      const address = `/api/vehicles/${vehicle.id}/people/${await myId(driver, vehicle.id)}`
      assert.equal((await { driver, owner }[by].delete(address)).status, 204)
      const later = await send(plate)
      for (const one of [id, later]) assert.equal((await driver.get(`/api/messages/${one}`)).status, 404)
      // nor what comes of a message they were notified of
      await app.db`update messages set inserted_at = inserted_at - interval '10 minutes' where id = ${id}`
      assert.equal((await sender.post(`/api/messages/${id}/nudge`)).status, 200)
      assert.equal((await owner.post(`/api/messages/${id}/reply`, { answer: 'coming' })).status, 200)
      assert.deepEqual((await driver.get('/api/notifications')).body.items, [])
      assert.equal((await driver.get('/api/dashboard')).body.messages.total, 0)
      const left = await app.db`select from outbox where recipient_id = ${driver.id} and kind in ('message', 'nudge')`
      assert.equal(left.length, 0)
      assert.equal((await peopleOf(owner, vehicle.id)).items.length, 1)
      assert.deepEqual(fieldsOf((await owner.get('/api/notifications')).body.items, 'type').toSorted(), [
        'driver_joined',
        'message_nudged',
        'message_received',
        'message_received',
      ])
      const own = await app.vehicle(driver)
      await send(own.plate)
      await stream.next(({ event }) => event === 'notification')
      for (const { data } of stream.events('notification')) assert.equal(JSON.parse(data).data.plate, own.plate)
    }
  })

  // that a driver's holds for all of the vehicle, as long as they drive it, is in server/src/messages/comparison.test.ts
  test('blocks: a driver’s hold at one plate, the owner’s at every plate, a sender’s for every reply', async () => {
    const { owner, driver, plate } = await shared(app)
    const [stranger, another] = [await app.user(), await app.user()]
    const elsewhere = await app.vehicle(owner)
    const assertReaches = async (people: Person[], from: Person, to = plate) => {
      const id = await send(to, {}, from)
      const responses = await Promise.all([owner, driver].map((person) => person.get(`/api/messages/${id}`)))
      assert.deepEqual(
        fieldsOf(responses, 'status'),
        [owner, driver].map((person) => (people.includes(person) ? 200 : 404)),
      )
    }
    const block = async (who: Person, from: Person) =>
      assert.equal((await who.post(`/api/messages/${await send(plate, {}, from)}/block`)).status, 204)
    const blocksOf = async (who: Person) => (await who.get('/api/blocks')).body.items
    await block(driver, stranger)
    await assertReaches([owner], stranger, elsewhere.plate)
    const [seen] = await blocksOf(owner)
    assert.deepEqual([seen.plate, seen.by_driver, (await blocksOf(driver))[0].by_driver], [plate, true, false])
    assert.equal((await driver.delete(`/api/blocks/${(await blocksOf(driver))[0].id}`)).status, 204)
    await assertReaches([owner, driver], stranger)
    await block(owner, another)
    const [{ id: ofOwner }] = await blocksOf(owner)
    assert.deepEqual(await blocksOf(driver), [])
    assert.equal((await driver.delete(`/api/blocks/${ofOwner}`)).status, 404)
    await assertReaches([], another, elsewhere.plate)

    const other = await app.user()
    const asked = await send(plate, {}, other)
    assert.equal((await driver.post(`/api/messages/${asked}/reply`, { reply: 'No' })).status, 200)
    assert.equal((await other.post(`/api/messages/${asked}/block`)).status, 204)
    for (const person of [owner, driver]) {
      const id = await send(plate, {}, other)
      assert.equal((await person.post(`/api/messages/${id}/reply`, { reply: 'Go away' })).status, 200)
      assert.equal((await other.get(`/api/messages/${id}`)).body.reply, null)
    }
    // a report of a reply is about its author
    const reply = await send(plate)
    assert.equal((await driver.post(`/api/messages/${reply}/reply`, { reply: 'No' })).status, 200)
    const subjectsBefore = (await app.db`select from subjects`).length
    assert.equal((await sender.post(`/api/messages/${reply}/report`, { reason: 'threat' })).status, 201)
    assert.equal((await app.db`select from subjects`).length, subjectsBefore + 1)
    const [subject] = await app.db<{ is_driver: boolean }[]>`
      select exists (select from auth.users u where u.person_hash = s.person_hash and u.id = ${driver.id}) as is_driver
      from report_cases c join subjects s on s.id = c.subject_id where c.message_id = ${reply}`
    assert.equal(subject!.is_driver, true)
  })

  test('a sender reads the same, byte for byte, of a vehicle of one person and of several', async () => {
    const { driver, plate } = await shared(app)
    const alone = await app.user()
    const single = await app.vehicle(alone)
    const surface = async (id: string) => {
      const { text, headers } = await sender.get(`/api/messages/${id}`)
      const { id: _, plate: __, inserted_at: ___, kept_until: ____, replied_at, ...rest } = JSON.parse(text)
      const { body } = await sender.get('/api/notifications?limit=1')
      const { plate: _____, message_id, ...data } = body.items[0]?.data ?? {}
      return JSON.stringify([rest, replied_at === null, headers.get('content-length')?.length, data, message_id === id])
    }
    const [one, several] = [await send(single.plate), await send(plate)]
    assert.equal(await surface(one), await surface(several))
    const answered: string[] = []
    for (const [who, id] of [
      [alone, one],
      [driver, several],
    ] as const) {
      assert.equal((await who.post(`/api/messages/${id}/reply`, { answer: 'in_5' })).status, 200)
      answered.push(await surface(id))
    }
    assert.equal(answered[0], answered[1])
  })
})
