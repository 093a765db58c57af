import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { deleteAccount, type Person, testApp } from '../test/app.ts'
import { deleteReported } from '../test/cases.ts'
import { createAdmin } from '../test/disputes.ts'
import { openStream } from '../test/event-stream.ts'
import { eventually } from '../test/eventually.ts'
import { startFakePushService } from '../test/fake-push-service.ts'
import { makeMailsDue } from '../test/message-mail-harness.ts'
import { quietNow } from '../test/quiet-hours.ts'
import { personOf, suspend } from '../test/sanctions.ts'
import { leave, newGuest } from '../test/tags.ts'
import { join, myId } from '../test/vehicle-people.ts'

/**
 * What two people of a vehicle get, compared in whatever way, does not say which messages are of one sender, nor which guests are of
 * one phone or network (decision vehicle-people): of what comes in a time, all get the same or, for a reason of their own, nothing.
 */

const service = await startFakePushService()
const app = await testApp({ settings: { TRUST_PROXY: '127.0.0.1', PUSH_HOSTS: service.origin } })
after(async () => {
  for (const { streams } of Object.values(scenes)) for (const stream of streams.values()) await stream.close()
  await service.close()
})
const { db } = app

const SENDERS = ['neighbour', 'neighbour again', 'stranger', 'guest', 'guest’s network', 'passer-by'] as const
type Sender = (typeof SENDERS)[number]
type Vehicle = { id: string; plate: string }
type Role = 'owner' | 'driver' | 'other'
type People = Record<Role, Person>

/** The messages of one round, by their senders; one that was refused is left out. */
type Round = Record<string, string>
type Scene = {
  vehicle: Vehicle
  people: People
  senders: { neighbour: Person; stranger: Person }
  first: Round
  /** Does something about the message of somebody in the first round. */
  about: (role: Role, sender: Sender, action: 'block' | 'report', body?: object) => Promise<void>
}

type Act = (scene: Scene) => Promise<unknown>
/** What is done between two rounds, and whose messages still come to the vehicle after it. */
const ACTS: Record<string, { act: Act; reach?: readonly Sender[]; later?: Act }> = {
  'nothing is done': { act: async () => {} },
  'each blocks somebody else': {
    act: async ({ about }) => {
      await about('owner', 'passer-by', 'block')
      await about('driver', 'neighbour', 'block')
      await about('other', 'guest', 'block')
    },
    reach: ['stranger'],
  },
  'a driver blocks a sender and leaves': {
    act: async (scene) => {
      await scene.about('driver', 'neighbour', 'block')
      await leaveVehicle(scene, 'driver')
    },
  },
  'the owner ends the block of a driver': {
    act: async ({ about, people: { owner } }) => {
      await about('driver', 'neighbour', 'block')
      const [{ id }] = (await owner.get('/api/blocks')).body.items
      assert.equal((await owner.delete(`/api/blocks/${id}`)).status, 204)
    },
  },
  'a driver answers, and the sender blocks the replies': {
    act: async ({ people, first, senders }) => {
      const reply = `/api/messages/${first['neighbour']}/reply`
      assert.equal((await people.driver.post(reply, { answer: 'coming' })).status, 200)
      assert.equal((await senders.neighbour.post(`/api/messages/${first['neighbour']}/block`)).status, 204)
    },
  },
  'two of them report senders, and moderators delete a message': {
    act: async ({ about, first }) => {
      await about('driver', 'stranger', 'report', { reason: 'spam' })
      await about('owner', 'neighbour', 'report', { reason: 'threat' })
      await deleteReported(app, admin, first['neighbour']!)
    },
  },
  'moderators suspend a sender, and another one deletes the account': {
    act: async ({ senders: { neighbour, stranger } }) => {
      await suspend(admin, neighbour)
      await deleteAccount(stranger)
    },
    reach: ['guest', 'guest’s network', 'passer-by'],
  },
  'a driver is suspended for a while': {
    act: ({ people }) => suspend(admin, people.driver),
    later: async ({ people }) => {
      const person = await personOf(admin, people.driver)
      const lifted = await admin.post(`/api/admin/people/${person}/lift`, { reason: 'A mistake of ours.' })
      assert.equal(lifted.status, 200, lifted.text)
      people.driver = await app.signIn(people.driver.email, people.driver.password)
    },
  },
  'a driver leaves and comes back': {
    act: async (scene) => {
      await leaveVehicle(scene, 'driver')
      await join(scene.people.owner, scene.vehicle.id, scene.people.driver)
    },
  },
  'a driver has quiet hours, and another wants no emails': {
    act: async ({ people }) => {
      assert.equal((await people.driver.patch('/api/preferences', quietNow())).status, 200)
      assert.equal((await people.other.patch('/api/preferences', { email_messages: false })).status, 200)
    },
  },
  'emails to a driver come back': {
    act: async ({ people }) =>
      db`insert into unreachable_addresses (user_id, reason) values (${people.driver.id}, 'gone')`,
  },
}

async function leaveVehicle({ people, vehicle }: Scene, role: Role) {
  const address = `/api/vehicles/${vehicle.id}/people/${await myId(people[role], vehicle.id)}`
  assert.equal((await people[role].delete(address)).status, 204)
}

/** Makes a vehicle with an owner, two drivers and a tag, and those who write to it. */
async function createScene() {
  const neighbourhood = randomUUID()
  const [owner, driver, other, neighbour, again, stranger] = await Promise.all([
    app.user(),
    app.user(),
    app.user(),
    app.user({ email: `${neighbourhood}@example.com` }),
    app.user({ email: `${neighbourhood}+new@example.com` }), // the same mailbox, and so the same person
    app.user(),
  ])
  const { id, plate } = await app.vehicle(owner)
  for (const person of [driver, other]) await join(owner, id, person)
  const { token } = (await owner.post(`/api/vehicles/${id}/tag`)).body
  const vehicle: Vehicle = { id, plate }
  const people: People = { owner, driver, other }
  const browsers = Object.fromEntries(Object.keys(people).map((role) => [role, service.browser()]))
  const streams = new Map<string, Awaited<ReturnType<typeof openStream>>>()
  for (const [role, person] of Object.entries(people)) {
    const { endpoint, keys } = browsers[role]!
    assert.equal((await person.post('/api/push/subscriptions', { endpoint, keys })).status, 204)
    streams.set(role, await openStream(app.url, person.token))
  }
  const byAccount = (who: Person) => async () => {
    await who.post('/api/messages', { plate, content: 'Your lights are on', reason: 'lights_on' })
  }
  const guest = newGuest()
  const byGuest = (headers: Record<string, string>) => async () => {
    await leave(app.visitor, token, plate.slice(-3), { guest: headers })
  }
  const send: Record<Sender, () => Promise<void>> = {
    neighbour: byAccount(neighbour),
    'neighbour again': byAccount(again),
    stranger: byAccount(stranger),
    guest: byGuest(guest),
    'guest’s network': byGuest({ ...newGuest(), 'x-forwarded-for': guest['x-forwarded-for'] }),
    'passer-by': byGuest(newGuest()),
  }
  const first: Round = {}
  const about: Scene['about'] = async (role, sender, action, body) => {
    const { status, text } = await people[role].post(`/api/messages/${first[sender]}/${action}`, body)
    assert.ok(status < 300, text)
  }
  const scene: Scene = { vehicle, people, senders: { neighbour, stranger }, first, about }
  return { ...scene, browsers, streams, send, second: {} as Round }
}

let admin: Person
let scenes: Record<string, Awaited<ReturnType<typeof createScene>>>

/** Waits until everything that was caused has arrived: emails, pushes, live events; each message alone, and not in a digest. */
const settle = () =>
  eventually(async () => {
    await makeMailsDue(db)
    app.context.outbox.wake()
    const [waiting] = await db<{ count: number }[]>`
      select ((select count(*) from outbox where sent_at is null and failed_at is null and not held)
        + (select count(*) from push_subscriptions s join notification_counters c using (user_id)
          where s.pushed_number < c.last_number or s.lease_token is not null))::int as count`
    return waiting!.count === 0 || undefined
  })

/** Lets everybody write to every vehicle once. */
async function sendRound(which: 'first' | 'second') {
  for (const sender of SENDERS) {
    await Promise.all(
      Object.values(scenes).map(async (scene) => {
        const before = await newestMessage(scene.vehicle.id)
        await scene.send[sender]()
        const id = await newestMessage(scene.vehicle.id)
        if (id !== undefined && id !== before) scene[which][sender] = id
      }),
    )
    await settle()
  }
}

const newestMessage = async (vehicleId: string): Promise<string | undefined> =>
  (await db<{ id: string }[]>`select id from messages where addressed_to = ${vehicleId} order by id desc limit 1`)[0]
    ?.id

before(async () => {
  admin = await createAdmin(app)
  scenes = Object.fromEntries(
    await Promise.all(Object.keys(ACTS).map(async (name) => [name, await createScene()] as const)),
  )
  await sendRound('first')
  for (const [name, { act }] of Object.entries(ACTS)) await act(scenes[name]!)
  await settle()
  await sendRound('second')
  for (const [name, { later }] of Object.entries(ACTS)) await later?.(scenes[name]!)
})

/** Returns what somebody got, by where it shows: the ids of the messages. */
async function collect({ people, browsers, streams }: (typeof scenes)[string], role: Role) {
  const person = people[role]
  const { items } = (await person.get('/api/messages?view=received&limit=100')).body
  const shown = new Map<string, Set<string>>()
  const add = (where: string, id: string | undefined) => {
    if (id) shown.set(where, (shown.get(where) ?? new Set()).add(id))
  }
  for (const { id } of items) add('list', id)
  for (const { id } of (await person.get('/api/export')).body.messages_received) add('export', id)
  const search = await person.post('/api/messages/search', { text: 'lights', view: 'received' })
  for (const { id } of search.body.items) add('search', id)
  assert.equal((await person.get('/api/dashboard')).body.messages.total, items.length)
  const { items: notifications } = (await person.get('/api/notifications?limit=100')).body
  for (const { type, data } of notifications) add(type, data.message_id)
  for (const { data } of streams.get(role)!.events('notification')) {
    const { type, data: about } = JSON.parse(data)
    add(`live ${type}`, about.message_id)
  }
  for (const { payload } of browsers[role]!.taken())
    add(
      payload.title.startsWith('New message') ? 'push' : `push ${payload.title}`,
      /#([\w-]{36})/.exec(payload.navigate)?.[1],
    )
  const mails = await db<{ kind: string; ref_id: string }[]>`
    select o.kind, o.ref_id from captured_mails m join outbox o on o.id = m.outbox_id where m.to = ${person.email} and o.kind in ('message', 'nudge')`
  for (const { kind, ref_id } of mails) add(`mail ${kind}`, ref_id)
  return shown
}

const ROLES = ['owner', 'driver', 'other'] as const

test('everybody of a vehicle gets every message in every way', async () => {
  const scene = scenes['nothing is done']!
  const all = [...Object.values(scene.first), ...Object.values(scene.second)].toSorted()
  assert.equal(all.length, 2 * SENDERS.length)
  const ways = ['export', 'list', 'live message_received', 'mail message', 'message_received', 'push', 'search']
  for (const role of ROLES) {
    const shown = await collect(scene, role)
    assert.deepEqual([...shown.keys()].toSorted(), ways)
    for (const [where, ids] of shown) assert.deepEqual([...ids].toSorted(), all, where)
  }
})

test('each by their own settings', async () => {
  const scene = scenes['a driver has quiet hours, and another wants no emails']!
  const second = new Set(Object.values(scene.second))
  for (const [role, ways] of [
    ['owner', ['mail message', 'push']],
    ['driver', []],
    ['other', ['push']],
  ] as const) {
    const shown = [...(await collect(scene, role))].filter(([, ids]) => [...ids].some((id) => second.has(id)))
    const reached = shown.map(([where]) => where).filter((where) => ['push', 'mail message'].includes(where))
    assert.deepEqual(reached.toSorted(), ways, role)
  }
})

describe('two people of a vehicle cannot tell by comparing which messages are of one sender', () => {
  for (const [name, { reach = SENDERS }] of Object.entries(ACTS))
    test(name, async () => {
      const scene = scenes[name]!
      const all = await Promise.all(ROLES.map((role) => collect(scene, role)))
      for (const where of new Set(all.flatMap((shown) => [...shown.keys()]))) {
        for (const round of [scene.first, scene.second]) {
          const ids = new Set(Object.values(round))
          const parts = all.map((shown) => [...(shown.get(where) ?? [])].filter((id) => ids.has(id)).toSorted())
          const got = parts.filter((part) => part.length > 0)
          for (const part of got) assert.deepEqual(part, got[0], where)
        }
      }
      const names = new Map(Object.entries(scene.second).map(([sender, id]) => [id, sender]))
      const reached = [...all[0]!.get('list')!].map((id) => names.get(id)).filter(Boolean)
      assert.deepEqual(reached.toSorted(), [...reach].toSorted())
    })
})
