import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { grantAdmin } from '../auth/admin-role.ts'
import { newEmail, PASSWORD, type Person, testApp } from '../test/app.ts'
import { openStream } from '../test/event-stream.ts'
import { eventually } from '../test/eventually.ts'
import { fieldsOf } from '../test/fields.ts'
import { waitForLockWaits } from '../test/locks.ts'
import { sendMessage } from '../test/messages.ts'
import { suspend } from '../test/sanctions.ts'
import { accept, assertInvalid, invite, join, myId, peopleOf, shared } from '../test/vehicle-people.ts'

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

/** How somebody comes to the people of a vehicle (decision vehicle-people). */
describe('invitations to drive a vehicle', () => {
  test('an invitation works once, as it is typed, until it is withdrawn or over, and not for suspended people', async () => {
    const [owner, first, second] = [await app.user(), await app.user(), await app.user()]
    const { id } = await app.vehicle(owner)
    const used = await invite(owner, id)
    assert.match(used.code, /^[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}$/)
    assert.equal(used.url, `http://platenote.test/invite#code=${used.code.replace('-', '')}`)
    const minutes = (Date.parse(used.expires_at) - Date.now()) / 60_000
    assert.ok(minutes > 14 && minutes <= 15, `${minutes}`)
    assert.equal((await accept(first, ` ${used.code.toLowerCase().replace('-', ' ')} `)).status, 200)
    assertInvalid(await accept(second, used.code))

    const withdrawn = await invite(owner, id)
    assert.deepEqual(
      (await peopleOf(owner, id)).invitations.map((one: { id: string; kind: string }) => [one.id, one.kind]),
      [[withdrawn.id, 'code']],
    )
    assert.equal((await first.delete(`/api/invitations/${withdrawn.id}`)).status, 404)
    assert.equal((await owner.delete(`/api/invitations/${withdrawn.id}`)).status, 204)
    assertInvalid(await accept(second, withdrawn.code))

    const expired = await invite(owner, id)
    await app.db`update vehicle_invitations set expires_at = now() where id = ${expired.id}`
    assertInvalid(await accept(second, expired.code))
    assertInvalid(await accept(second, 'ABCD-2345'))

    const open = await invite(owner, id)
    assert.equal((await accept(owner, open.code)).body.code, 'already_in_vehicle')
    assert.equal((await accept(first, open.code)).body.code, 'already_in_vehicle')
    const admin = await app.user()
    await grantAdmin(app.db, admin.email)
    await suspend(await app.signIn(admin.email, admin.password), second)
    const again = await app.signIn(second.email, second.password)
    assert.equal((await accept(again, open.code)).body.code, 'suspended')
    await suspend(await app.signIn(admin.email, admin.password), owner)
    assertInvalid(await accept(await app.user(), open.code))
    assert.equal((await peopleOf(first, id)).items.length, 2)
  })

  test('a driver who leaves at the moment somebody joins is not told of it', async () => {
    const { owner, driver, vehicle } = await shared(app)
    const newcomer = await app.user()
    const { code } = await invite(owner, vehicle.id)
    let joining: ReturnType<typeof accept> | undefined
    await app.db.begin(async (tx) => {
      await tx`delete from vehicle_drivers where vehicle_id = ${vehicle.id} and user_id = ${driver.id}`
      joining = accept(newcomer, code)
      await Promise.race([joining, waitForLockWaits(app.db)])
    })
    assert.equal((await joining)?.status, 200)
    assert.equal((await peopleOf(owner, vehicle.id)).items.length, 2)
    const told = await app.db<{ user_id: string }[]>`
      select user_id from notifications where type = 'driver_joined' and user_id in (${owner.id}, ${driver.id})`
    // of the driver's own joining the owner was told too
    assert.deepEqual(fieldsOf(told, 'user_id'), [owner.id, owner.id])
    // a mail about a driver who has left may have been dropped
    const mailed = await app.db<{ user_id: string }[]>`
      select recipient_id as user_id from outbox where kind = 'driver_joined' and ref_id =
        (select id from vehicle_drivers where vehicle_id = ${vehicle.id} and user_id = ${newcomer.id})`
    assert.deepEqual(fieldsOf(mailed, 'user_id'), [owner.id])
  })

  test('a link works for its address alone, and says nothing about it', async () => {
    const owner = await app.user()
    const { id } = await app.vehicle(owner)
    const somebody = await app.user({ email: newEmail().replace('@', '.link@') })
    const links = [
      await invite(owner, id, { email: somebody.email.replace('@', '+x@') }),
      await invite(owner, id, { email: newEmail() }),
    ]
    const shape = ({ code, url, expires_at }: (typeof links)[number]) => [
      code.length,
      url.replace(code, ''),
      Math.round((Date.parse(expires_at) - Date.now()) / 3_600_000),
    ]
    assert.deepEqual(shape(links[0]!), [43, 'http://platenote.test/invite#code=', 7 * 24])
    assert.deepEqual(shape(links[1]!), shape(links[0]!))
    const [row] = await app.db<{ text: string }[]>`select string_agg(t::text, ' ') as text from vehicle_invitations t`
    assert.ok(!row!.text.includes('@'))
    assertInvalid(await accept(await app.user(), links[0]!.code))
    assert.equal((await accept(somebody, links[0]!.code)).status, 200)
    const dead = await app.vehicle(owner, { status: 'rejected' })
    assert.equal((await owner.post(`/api/vehicles/${dead.id}/invitations`)).body.code, 'vehicle_not_active')
  })

  test('whoever the owner removes comes back by no other invitation, and who leaves takes none along', async () => {
    const owner = await app.user()
    const [former, leaver, friend] = [await app.user(), await app.user(), await app.user()]
    const { id } = await app.vehicle(owner)
    const other = await app.vehicle(owner)
    const first = await invite(owner, id, { email: former.email })
    const second = await invite(owner, id, { email: former.email })
    const elsewhere = await invite(owner, other.id)
    assert.equal((await accept(former, first.code)).status, 200)
    const personId = await myId(former, id)

    assert.equal((await accept(leaver, (await invite(owner, id)).code)).status, 200)
    assert.equal((await leaver.delete(`/api/vehicles/${id}/people/${await myId(leaver, id)}`)).status, 204)
    assert.equal((await owner.delete(`/api/vehicles/${id}/people/${other.id}`)).status, 404)
    assert.deepEqual(
      (await peopleOf(owner, id)).invitations.map((one: { id: string }) => one.id),
      [second.id],
    )

    assert.equal((await owner.delete(`/api/vehicles/${id}/people/${personId}`)).status, 204)
    assertInvalid(await accept(former, second.code))
    const { items, invitations } = await peopleOf(owner, id)
    assert.deepEqual([items.length, invitations], [1, []])
    assert.equal((await accept(friend, elsewhere.code)).status, 200, 'other vehicles keep theirs')
  })

  test('a new password withdraws the invitations of all vehicles that somebody owns', async () => {
    const { owner, driver, vehicle } = await shared(app)
    const somebody = await app.user()
    const own = await app.vehicle(driver)
    const kept = await invite(driver, own.id)
    const withdrawn = [await invite(owner, vehicle.id), await invite(owner, (await app.vehicle(owner)).id)]
    assert.equal((await owner.put('/auth/v1/user', { data: { full_name: 'Olga Roy-Lee' } })).status, 200)
    assert.equal((await peopleOf(owner, vehicle.id)).invitations.length, 1)
    const passwords = { password: 'Another-horse-8', current_password: PASSWORD }
    assert.equal((await owner.put('/auth/v1/user', passwords)).status, 200)
    for (const { code } of withdrawn) assertInvalid(await accept(somebody, code))
    assert.equal((await peopleOf(owner, vehicle.id)).items.length, 2)
    assert.equal((await accept(somebody, kept.code)).status, 200)
  })

  test('nine drivers at most, and one who leaves makes room', async () => {
    await using strict = await testApp({ sibling: app, settings: { LIMIT_SCALE: '1', ROLE: 'web' } })
    const owner = await app.user()
    const { id } = await app.vehicle(owner)
    const drivers = await Promise.all(Array.from({ length: 9 }, () => app.user()))
    const joinStrictly = async ({ token }: { token: string }) =>
      strict.withToken(token).post('/api/invitations/accept', { code: (await invite(owner, id)).code })
    for (const driver of drivers) assert.equal((await joinStrictly(driver)).status, 200)
    const tenth = await app.user()
    const { status, body } = await joinStrictly(tenth)
    assert.deepEqual([status, body.code], [409, 'vehicle_full'])
    const [first] = drivers
    assert.equal((await first!.delete(`/api/vehicles/${id}/people/${await myId(first!, id)}`)).status, 204)
    assert.equal((await joinStrictly(tenth)).status, 200)
  })
})
