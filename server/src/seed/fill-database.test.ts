import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Notification } from '#contract/notifications.ts'
import { type Person, type TestApp, testApp } from '../test/app.ts'
import { DAY_S, SECOND_MS } from '../time.ts'
import { SEED_PASSWORD, type SeedUser, USERS } from './events.ts'
import { seedDatabase, signInInstructions } from './fill-database.ts'

let app: TestApp
let maya: Person
let etienne: Person

before(async () => {
  app = await testApp()
  await seedDatabase(app.context)
  maya = await app.signIn(USERS.maya.email, SEED_PASSWORD)
  etienne = await app.signIn(USERS.etienne.email, SEED_PASSWORD)
})
after(() => app.close())

const listItems = async (person: Person, path: string) => (await person.get(path)).body.items
const received = (person: Person) => listItems(person, '/api/messages?view=received&limit=100')
const sent = (person: Person) => listItems(person, '/api/messages?view=sent&limit=100')

test('every seeded user can sign in and is called by name', async () => {
  const guide = signInInstructions(app.config)
  for (const { email, name } of Object.values<SeedUser>(USERS)) {
    assert.ok(guide.includes(email) && guide.includes(SEED_PASSWORD))
    const person = await app.signIn(email, SEED_PASSWORD)
    const { body } = await person.get('/auth/v1/user')
    assert.equal(body.user_metadata.full_name, name)
  }
  assert.ok(guide.includes('http://platenote.test/login') && guide.includes('http://platenote.test/fr/login'))
})

test('one owner has vehicles of every status, one of them in a dispute whose due date is still to come', async () => {
  const vehicles = await listItems(maya, '/api/vehicles')
  const statuses = new Set(vehicles.map((v: { status: string }) => v.status))
  assert.deepEqual([...statuses].sort(), ['active', 'pending_verification', 'rejected', 'verified'])
  const disputed = vehicles.find((v: { dispute: unknown }) => v.dispute)
  assert.equal(disputed.dispute.role, 'incumbent')
  assert.ok(Date.parse(disputed.dispute.documents_due_at) > Date.now())

  const liam = await app.signIn(USERS.liam.email, SEED_PASSWORD)
  const other = (await listItems(liam, '/api/vehicles')).find((v: { plate: string }) => v.plate === disputed.plate)
  assert.deepEqual([other.status, other.dispute.role], ['pending_verification', 'challenger'])
})

test('an admin sees open disputes, vehicles of every status, and a logged decision with its reason', async () => {
  const grace = await app.signIn(USERS.grace.email, SEED_PASSWORD)
  assert.equal((await listItems(grace, '/api/admin/disputes')).length, 2)
  for (const status of ['active', 'pending_verification', 'verified', 'rejected']) {
    assert.ok((await listItems(grace, `/api/admin/vehicles?status=${status}`)).length > 0, status)
  }
  const log = await listItems(grace, '/api/admin/audit-log')
  const rejected = log.find((entry: { action: string }) => entry.action === 'vehicle_rejected')
  assert.deepEqual(
    [rejected.actor_email, rejected.subject, rejected.reason],
    [USERS.grace.email, 'CKMW310 · Ontario', 'The registration you sent us names another plate.'],
  )
})

test('there are messages in every state, some of them days old, listed newest first', async () => {
  const all = [...(await received(maya)), ...(await received(etienne))]
  for (const wanted of [
    (m: { is_read: boolean }) => !m.is_read,
    (m: { is_read: boolean; reply: string | null }) => m.is_read && m.reply === null,
    (m: { reply: string | null; replied_at: string; inserted_at: string }) =>
      m.reply !== null && Date.parse(m.replied_at) > Date.parse(m.inserted_at),
    (m: { reason: string | null }) => m.reason !== null,
    (m: { content: string }) => m.content.length > 800 && m.content.includes('\n\n'),
    (m: { content: string }) => /\p{Extended_Pictographic}/u.test(m.content) && /[éàê]/.test(m.content),
  ]) {
    assert.ok(all.some(wanted), String(wanted))
  }
  for (const list of [await received(maya), await sent(maya)]) {
    const times = list.map((m: { inserted_at: string }) => Date.parse(m.inserted_at))
    assert.deepEqual(
      times,
      times.toSorted((a: number, b: number) => b - a),
    )
    assert.ok(Date.now() - times.at(-1) > 5 * DAY_S * SECOND_MS)
  }
  const mailStates = new Set((await sent(maya)).map((m: { email_status: string }) => m.email_status))
  assert.deepEqual([...mailStates].sort(), ['failed', 'sent'])
})

test('the pictures are stored as the product stores images', async () => {
  const withImage = (await received(maya)).filter((m: { image_url: string | null }) => m.image_url)
  assert.ok(withImage.length >= 2)
  for (const { image_url } of withImage) {
    const response = await app.visitor.get(image_url)
    assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'image/webp'])
  }
})

test('one owner has notifications of every type, read and unread, and the unread count is right', async () => {
  const list: Notification[] = await listItems(maya, '/api/notifications?limit=100')
  assert.deepEqual([...new Set(list.map((n) => n.type))].sort(), [
    'message_received',
    'message_replied',
    'plate_disputed',
    'vehicle_approved',
    'vehicle_deleted',
    'vehicle_rejected',
  ])
  const unread = list.filter((n) => !n.is_read).length
  assert.ok(unread > 0 && unread < list.length)
  assert.equal((await maya.get('/api/notifications/unread-count')).body.count, unread)
})

test('a plate registered in two provinces asks for the province, and a new user has nothing yet', async () => {
  const response = await maya.post('/api/messages', { plate: 'ABC 123', content: 'Your lights are on' })
  assert.deepEqual([response.body.code, response.body.provinces], ['province_needed', ['British Columbia', 'Ontario']])
  const noah = await app.signIn(USERS.noah.email, SEED_PASSWORD)
  const { body } = await noah.get('/api/dashboard')
  assert.deepEqual([body.vehicles.total, body.messages.total], [0, 0])
})

test('seeding sends no email and counts towards no limit', async () => {
  const [row] = await app.db`
    select (select count(*)::int from outbox where sent_at is null and failed_at is null) as waiting,
      (select count(*)::int from captured_mails) as mails,
      (select count(*)::int from rate_counters where key like 'register:%') as counters`
  assert.deepEqual({ ...row }, { waiting: 0, mails: 0, counters: 0 })
})

test('seeding refuses a database with users in it and changes nothing', async () => {
  const count = async () => (await app.db`select count(*)::int as n from messages`)[0]?.['n']
  const [people, messages] = [await app.db`select id from auth.users`, await count()]
  await assert.rejects(seedDatabase(app.context), {
    message: 'There are people in this database; the seed fills only an empty one.',
  })
  assert.equal((await app.db`select id from auth.users`).length, people.length)
  assert.equal(await count(), messages)
})

test('seeding is refused in production', async () => {
  const context = { ...app.context, config: { ...app.config, production: true } }
  await assert.rejects(seedDatabase(context), { message: 'The seed is never for production (NODE_ENV is production).' })
})
