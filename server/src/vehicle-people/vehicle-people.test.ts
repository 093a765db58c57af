import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { escalateMessage } from '../messages/escalate-message.ts'
import { listDueSteps } from '../messages/escalation-queries.ts'
import { type Person, testApp } from '../test/app.ts'
import { openStream } from '../test/event-stream.ts'
import { eventually } from '../test/eventually.ts'
import { sendMessage } from '../test/messages.ts'
import { join, myId, peopleOf, shared } from '../test/vehicle-people.ts'
import { deleteEndedHolders } from './queries.ts'

const app = await testApp({ settings: { ROLE: 'web' } })
const sender = await app.user()
after(() => app.close())

/** The people of a vehicle: what they may, and what is left of them (decision vehicle-people). */
describe('people of a vehicle', () => {
  /** Does what is due about messages, as a worker does. */
  const work = async () => {
    const now = new Date()
    for (const due of await listDueSteps(app.db, now, 1_000)) await escalateMessage(app.context, due, now)
  }
  const send = async (plate: string, more: object = {}, from = sender): Promise<string> => {
    const id = await sendMessage(from, plate, undefined, more)
    await work()
    return id
  }
  test('everybody sees everybody, a driver finds the vehicle in the list and cannot change it', async () => {
    const { owner, driver, vehicle } = await shared(app)
    for (const who of [owner, driver]) {
      const { items, holder_until, invitations } = await peopleOf(who, vehicle.id)
      assert.deepEqual(
        items.map(({ id: _, joined_at: __, ...person }: Record<string, unknown>) => person),
        [
          { role: 'owner', name: 'Olga Roy', email: owner.email, is_me: who === owner, has_car: false },
          { role: 'driver', name: 'Dan Roy', email: driver.email, is_me: who === driver, has_car: false },
        ],
      )
      assert.deepEqual([holder_until, invitations], [null, []])
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
    const workers = await testApp({ sibling: app })
    t.after(() => workers.close())
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
    assert.deepEqual([reply.status, reply.body.replied_by_me], [200, true])
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
      await work()
      assert.equal((await owner.post(`/api/messages/${id}/reply`, { answer: 'coming' })).status, 200)
      assert.deepEqual((await driver.get('/api/notifications')).body.items, [])
      assert.equal((await driver.get('/api/dashboard')).body.messages.total, 0)
      const left = await app.db`select from outbox where recipient_id = ${driver.id} and kind in ('message', 'nudge')`
      assert.equal(left.length, 0)
      assert.equal((await peopleOf(owner, vehicle.id)).items.length, 1)
      assert.deepEqual(
        (await owner.get('/api/notifications')).body.items.map(({ type }: { type: string }) => type).toSorted(),
        ['driver_joined', 'message_nudged', 'message_received', 'message_received'],
      )
      const own = await app.vehicle(driver)
      await send(own.plate)
      await stream.next(({ event }) => event === 'notification')
      for (const { data } of stream.events('notification')) assert.equal(JSON.parse(data).data.plate, own.plate)
    }
  })

  test('no row says who had the car before', async () => {
    const { owner, driver, vehicle } = await shared(app)
    const dump = async () => {
      const tables = await app.db<{ name: string }[]>`
        select format('%I.%I', schemaname, tablename) as name from pg_tables
        where schemaname not in ('pg_catalog', 'information_schema') order by 1`
      const texts = await Promise.all(
        tables.map(async ({ name }) => {
          const [row] = await app.db.unsafe<{ text: string }[]>(
            `select coalesce(string_agg(t::text, E'\n' order by t::text), '') as text from ${name} t`,
          )
          return `${name}\n${row!.text}`
        }),
      )
      return texts.join('\n')
    }
    const path = `/api/vehicles/${vehicle.id}/holder`
    const before = await dump()
    const { body } = await driver.put(path, { until: new Date(Date.now() + 3_600_000).toISOString() })
    assert.deepEqual(
      body.items.map(({ has_car }: { has_car: boolean }) => has_car),
      [false, true],
    )
    assert.ok(body.holder_until)
    assert.notEqual(await dump(), before)
    const ends: [Person, () => Promise<unknown>][] = [
      [owner, () => owner.delete(path)],
      [driver, () => driver.delete(path)],
      [driver, () => owner.delete(path)],
      [driver, () => app.db`update vehicle_holders set until = now()`.then(() => deleteEndedHolders(app.db))],
    ]
    for (const [who, end] of ends) {
      assert.equal((await who.put(path, {})).status, 200)
      if (who === owner) assert.equal((await driver.delete(path)).body.code, 'forbidden')
      await end()
      assert.equal(await dump(), before)
    }
    assert.equal((await driver.put(path, { until: new Date(Date.now() - 1_000).toISOString() })).status, 400)
    // leaving takes the car away, too
    assert.equal((await driver.put(path, {})).status, 200)
    assert.equal(
      (await driver.delete(`/api/vehicles/${vehicle.id}/people/${await myId(driver, vehicle.id)}`)).status,
      204,
    )
    assert.equal((await app.db`select from vehicle_holders`).length, 0)
    assert.ok(!(await dump()).includes(`${vehicle.id},${driver.id}`))
  })

  test('blocks: a driver’s own hold for them, the owner’s for all, a sender’s for every reply', async () => {
    const { owner, driver, plate, vehicle } = await shared(app)
    const stranger = await app.user()
    const first = await send(plate, {}, stranger)
    assert.equal((await driver.post(`/api/messages/${first}/block`)).status, 204)
    assert.equal((await driver.put(`/api/vehicles/${vehicle.id}/holder`, {})).status, 200)
    const second = await send(plate, {}, stranger)
    assert.equal((await driver.get(`/api/messages/${second}`)).status, 404)
    assert.equal((await owner.get(`/api/messages/${second}`)).status, 200)
    const [notification] = (await owner.get('/api/notifications')).body.items
    assert.equal(notification.data.message_id, second) // the driver has the car, and is not notified
    assert.equal((await owner.post(`/api/messages/${second}/block`)).status, 204)
    const third = await send(plate, {}, stranger)
    for (const person of [owner, driver]) assert.equal((await person.get(`/api/messages/${third}`)).status, 404)

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
    const { driver, plate, vehicle } = await shared(app)
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
    assert.equal(
      (await driver.delete(`/api/vehicles/${vehicle.id}/people/${await myId(driver, vehicle.id)}`)).status,
      204,
    )
    assert.equal(await surface(one), await surface(several))
    const back = await app.user()
    const owner = await app.user()
    const again = await app.vehicle(owner)
    await join(owner, again.id, back)
    const [first, second] = [await send(single.plate), await send(again.plate)]
    const compare: string[] = []
    for (const [who, id] of [
      [alone, first],
      [back, second],
    ] as const) {
      assert.equal((await who.post(`/api/messages/${id}/reply`, { answer: 'in_5' })).status, 200)
      compare.push(await surface(id))
    }
    assert.equal(compare[0], compare[1])
  })
})
