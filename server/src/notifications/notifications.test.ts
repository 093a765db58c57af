import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { grantAdmin, revokeAdmin } from '../auth/admin-role.ts'
import { LIMITS } from '../limits/limits.ts'
import { PASSWORD, type Person, testApp } from '../test/app.ts'
import { assertEnds, openStream } from '../test/event-stream.ts'
import { eventually } from '../test/eventually.ts'
import { startSiblingServer } from '../test/sibling-server.ts'

type Item = { id: string; type: string; data: Record<string, string>; is_read: boolean }

const app = await testApp()
/** Another process, with the real limits. */
const limited = await testApp({ settings: { LIMIT_SCALE: '1' }, sibling: app })
const [owner, sender] = [await app.user(), await app.user()]
const plate = (await app.vehicle(owner)).plate

describe('notifications', () => {
  const send = async (content: string) => (await sender.post('/api/messages', { plate, content })).body.id as string
  const list = async (query = '') => (await owner.get(`/api/notifications${query}`)).body

  test('are listed newest first and paged without gaps or repetitions', async () => {
    const ids = []
    // a dozen: numbers of two digits must not sort as text
    for (let i = 0; i < 12; i++) ids.unshift(await send(`n ${i}`))
    const seen: string[] = []
    for (let next: string | null = ''; next !== null; ) {
      const page: { items: Item[]; next: string | null } = await list(`?limit=5${next && `&cursor=${next}`}`)
      seen.push(...page.items.map((n) => n.data['message_id']!))
      next = page.next
    }
    assert.deepEqual(seen, ids)
  })

  test('about a message are read with it, by whoever sent it too', async () => {
    const id = await send('Is this yours?')
    assert.equal((await owner.post(`/api/messages/${id}/reply`, { reply: 'It is' })).status, 200)
    const unread = async () => (await sender.get('/api/notifications/unread-count')).body.count as number
    assert.equal(await unread(), 1)
    assert.equal((await sender.patch(`/api/messages/${id}`, { is_read: true })).body.view, 'sent')
    assert.equal(await unread(), 0)
  })

  describe('live', () => {
    test('a stream that reconnects gets exactly what it missed, in order', async () => {
      const first = await openStream(app.url, owner.token)
      await send('seen')
      const { id: lastId } = await first.next((e) => e.event === 'notification')
      await first.close()
      const missed = await Promise.all(Array.from({ length: 30 }, (_, i) => send(`missed ${i}`)))
      const second = await openStream(app.url, owner.token, lastId)
      await second.next(() => second.events('notification').length >= 30)
      const ids = second.events('notification').map((e) => JSON.parse(e.data).data.message_id)
      assert.deepEqual(ids.toSorted(), missed.toSorted())
      const numbers = second.events('notification').map((e) => Number(e.id))
      assert.deepEqual(
        numbers,
        numbers.toSorted((a, b) => a - b),
      )
      await second.close()
    })

    test('a stream from an invalid number starts now instead of failing', async () => {
      for (const from of ['999999999', 'x', '-1']) {
        const stream = await openStream(app.url, owner.token, from)
        const id = await send('from now on')
        await stream.next((e) => e.event === 'notification' && JSON.parse(e.data).data.message_id === id)
        assert.equal(stream.events('notification').length, 1)
        await stream.close()
      }
    })

    test('a client that disconnects while its stream opens does not count against the limit', async () => {
      const hasty = await app.user()
      await app.db.begin(async (tx) => {
        // stops every stream where it reads the number to start from
        await tx`lock table notification_counters in access exclusive mode`
        const control = new AbortController()
        const opening = Array.from({ length: 6 }, () =>
          fetch(`${limited.url}/api/live`, {
            signal: control.signal,
            headers: { authorization: `Bearer ${hasty.token}` },
          }),
        )
        // five have been counted when the sixth is refused
        assert.equal((await Promise.race(opening)).status, 429)
        control.abort()
        await Promise.allSettled(opening)
        // the server has seen them disconnect when it responds to a later request
        assert.equal((await limited.visitor.get('/healthz')).status, 200)
      })
      await eventually(async () => {
        const streams = await Promise.all(Array.from({ length: 5 }, () => openStream(limited.url, hasty.token)))
        await Promise.all(streams.map((stream) => stream.close()))
        return streams.every(({ status }) => status === 200) ? true : undefined
      })
    })
  })
})

/** Opens streams of a user in both processes, does something, and waits until both have ended. */
async function assertEndsStreams(person: Person, act: () => Promise<unknown>) {
  const streams = [await openStream(app.url, person.token), await openStream(limited.url, person.token)]
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
  await using strict = await startSiblingServer({ ...app.context, config: { ...app.config, LIMIT_SCALE: 0.1 } })
  const stream = await openStream(strict.url, person.token)
  await stream.next((e) => e.event === 'unread')
  const callAnonymously = async () => (await fetch(`${strict.url}/api/vehicles`)).status
  for (let i = 0; i < LIMITS.anonymousRequests.max / 10; i++) await callAnonymously()
  assert.equal(await callAnonymously(), 429)
  await assertEnds([stream], () => person.post('/auth/v1/logout'))
})
