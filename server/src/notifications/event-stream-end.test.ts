import assert from 'node:assert/strict'
import { test } from 'node:test'
import { grantAdmin, revokeAdmin } from '../auth/admin-role.ts'
import { LIMITS } from '../limits/limits.ts'
import { PASSWORD, type Person, testApp } from '../test/app.ts'
import { assertEnds, openStream } from '../test/event-stream.ts'
import { startSiblingServer } from '../test/sibling-server.ts'

const app = await testApp()
const sibling = await testApp({ settings: { DATABASE_POOL: '4' }, sibling: app })

/** Opens streams of a user in both processes, does something, and waits until both have ended. */
async function assertEndsStreams(person: Person, act: () => Promise<unknown>) {
  const streams = [await openStream(app.url, person.token), await openStream(sibling.url, person.token)]
  await Promise.all(streams.map((stream) => stream.next((e) => e.event === 'unread')))
  await assertEnds(streams, act)
}

test('signing out one device leaves the stream of the other open', async () => {
  const person = await app.user()
  const elsewhere = await app.signIn(person.email, PASSWORD)
  const stays = await openStream(app.url, person.token)
  await assertEndsStreams(elsewhere, () => elsewhere.post('/auth/v1/logout?scope=local'))
  await person.patch('/api/preferences', { locale: 'fr-CA' })
  const sender = await app.user()
  const { plate } = await app.vehicle(person)
  await sender.post('/api/messages', { plate, content: 'Your lights are on' })
  await stays.next((e) => e.event === 'notification')
  await stays.close()
})

test('the streams of a former admin end, and open again with the present rights only', async () => {
  const [person, other] = [await app.user(), await app.user()]
  await grantAdmin(app.db, other.email)
  await grantAdmin(app.db, person.email)
  assert.equal((await person.get('/api/admin/stats')).status, 200)
  await assertEndsStreams(person, () => revokeAdmin(app.db, person.email))
  const { status, body } = await person.get('/api/admin/stats')
  assert.deepEqual([status, body.code], [403, 'forbidden'])
  const stream = await openStream(app.url, person.token)
  assert.equal(stream.status, 200)
  await stream.close()
})

test('a sign-out ends streams also where the network is over its limit of anonymous requests', async () => {
  const person = await app.user()
  await using strict = await startSiblingServer({ ...app.context, config: { ...app.config, LIMIT_SCALE: 1 } })
  const stream = await openStream(strict.url, person.token)
  await stream.next((e) => e.event === 'unread')
  const callAnonymously = async () => (await fetch(`${strict.url}/api/vehicles`)).status
  for (let i = 0; i < LIMITS.anonymousRequests.max; i++) await callAnonymously()
  assert.equal(await callAnonymously(), 429)
  await assertEnds([stream], () => person.post('/auth/v1/logout'))
})
