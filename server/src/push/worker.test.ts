import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import { type Person, testApp } from '../test/app.ts'
import { eventually } from '../test/eventually.ts'
import { startFakePushService } from '../test/fake-push-service.ts'
import { fieldsOf } from '../test/fields.ts'
import { toSubscription } from '../test/push.ts'
import { leaseDevices, renewPushLeases } from './delivery-queries.ts'
import { declarativePush } from './payloads.ts'
import { makeSendPush } from './send-push.ts'
import { loadVapidKeys } from './vapid.ts'

const [service, hanging] = [await startFakePushService(), await startFakePushService()]
const settings = { PUSH_HOSTS: `${service.origin},${hanging.origin}` }
/** A process that does not push. */
const web = await testApp({ settings: { ...settings, ROLE: 'web' } })
const sender = await web.user()
after(() => service.close())

/** Starts a process that pushes, until the test is over. */
async function startWorker(t: TestContext) {
  const worker = await testApp({ settings, sibling: web })
  t.after(() => worker.close())
}

/** Creates an owner of a vehicle with a device. */
async function createOwner(pushService = service) {
  const owner = await web.user()
  const { plate } = await web.vehicle(owner)
  const browser = pushService.browser()
  const subscribed = await owner.post('/api/push/subscriptions', toSubscription(browser))
  assert.equal(subscribed.status, 204, subscribed.text)
  const send = async (content: string) =>
    assert.equal((await sender.post('/api/messages', { plate, content })).status, 201)
  return { owner, browser, send }
}

const untilPutOff = ({ id }: Person) =>
  eventually(async () => {
    const [row] = await web.db`
      select from push_subscriptions where user_id = ${id} and tries > 0 and lease_token is null`
    return row
  })

test('a lease that is renewed lasts as long as a new one, unless another worker has taken it over', async () => {
  for (const { send } of [await createOwner(), await createOwner()]) await send('one')
  const leases = await leaseDevices(web.db, { of: 'all' }, 2)
  assert.equal(leases.length, 2)
  await web.db`update push_subscriptions set next_at = now() - interval '1 second'`
  const [taken] = await leaseDevices(web.db, { of: 'retries' }, 1)
  await web.db`update push_subscriptions set next_at = now() - interval '1 second'`
  await renewPushLeases(web.db, leases)
  const due = await leaseDevices(web.db, { of: 'retries' }, 2)
  assert.deepEqual(fieldsOf(due, 'session_id'), [taken!.session_id])
})

test('two processes notify a device of each message once, even of one from a process that does not push', async (t) => {
  const { owner, browser, send } = await createOwner()
  await send('while nobody pushes')
  await startWorker(t)
  await startWorker(t)
  await browser.pushes(1)
  for (let i = 0; i < 12; i++) {
    await send(`message ${i}`)
    if (i % 3 === 0) await browser.pushes(2 + i) // some arrive alone, some together
  }
  await browser.pushes(13)
  await eventually(async () => {
    const [row] = await web.db`
      select from push_subscriptions s join notification_counters c using (user_id)
      where user_id = ${owner.id} and (s.pushed_number < c.last_number or s.lease_token is not null)`
    return row ? undefined : true
  })
  const tags = browser.taken().map(({ payload }) => payload.tag)
  assert.deepEqual([tags.length, new Set(tags).size], [13, 13])

  // its push service is busy, and then the browser gets another address: what waited comes there, once
  const renewed = service.browser()
  service.answer(browser, { status: 503, headers: { 'retry-after': '3000' } })
  await send('while the service is busy')
  await untilPutOff(owner)
  await Promise.all([1, 2, 3].map(() => owner.post('/api/push/subscriptions', toSubscription(renewed))))
  await renewed.pushes(1)
  await send('and one more')
  await renewed.pushes(2)

  // the service takes a push, and its response is lost: it recognizes that the next attempt is the same push
  service.answer(renewed, { status: 201, loses: true })
  await send('the last one')
  await renewed.pushes(3)
  await untilPutOff(owner)
  await web.db`update push_subscriptions set next_at = now() where user_id = ${owner.id}`
  await renewed.pushes(4)
  const { body } = await owner.get('/api/notifications?limit=3')
  const taken = renewed.taken().map(({ payload }) => payload.tag)
  const newest = body.items.map(({ id }: { id: string }) => id)
  assert.deepEqual(taken, [newest[2], newest[1], newest[0], newest[0]])
  const topics = renewed.taken().map(({ headers }) => headers['topic'])
  assert.match(String(topics[3]), /^[\w-]{32}$/)
  assert.equal(topics[2], topics[3])
  assert.equal(new Set(topics).size, 3)
  assert.equal(browser.taken().length, 13)
})

test('a device leased by a dead worker is served when the lease expires, from where it was', async (t) => {
  const { owner, browser, send } = await createOwner()
  // as left by a worker that was killed right after it leased the device
  await web.db`
    update push_subscriptions set tries = 1, next_at = now() + interval '1 hour', lease_token = gen_random_uuid()
    where user_id = ${owner.id}`
  await startWorker(t)
  for (const text of ['one', 'two']) await send(text)
  await web.db`update push_subscriptions set pushed_number = 1 where user_id = ${owner.id}`
  assert.deepEqual(browser.taken(), [])
  await web.db`update push_subscriptions set next_at = now() where user_id = ${owner.id}`
  await browser.pushes(1)
  const { body } = await owner.get('/api/notifications')
  assert.deepEqual(
    browser.taken().map(({ payload }) => payload.tag),
    [body.items[0].id],
  )
})

test('a service that does not respond costs one timeout', async () => {
  const browser = service.browser()
  service.answer(browser, 'silence')
  const vapidKeys = loadVapidKeys(web.config)!
  const giveUpSoon = makeSendPush(web.config, vapidKeys, { timeoutMs: 200 })
  const deliver = makeSendPush(web.config, vapidKeys, { timeoutMs: 60_000 })
  const text = { title: 'a', body: 'b', path: '/' }
  const payload = declarativePush(web.config, { ...text, tag: 'c', locale: 'en', unread: 0 })
  assert.deepEqual(await giveUpSoon(browser, payload), { state: 'deferred', reason: 'timeout' })
  assert.deepEqual(await deliver(browser, payload), { state: 'sent' })
  const stranger = { ...toSubscription(browser), endpoint: 'https://127.0.0.1:1/x' }
  assert.deepEqual(await deliver(stranger, payload), { state: 'gone' })
})

test('a service that does not answer delays no push of another', async (t) => {
  t.after(() => hanging.close()) // the worker, which stops afterwards, waits for what is in flight
  await startWorker(t)
  // more than a service gets at a time
  const slow = await Promise.all(Array.from({ length: 15 }, () => createOwner(hanging)))
  for (const { browser, send } of slow) {
    hanging.answer(browser, 'silence')
    await send('Your lights are on')
  }
  const count = async (state: 'leased' | 'put off') => {
    const [row] = await web.db<{ count: number }[]>`
      select count(*)::int as count from push_subscriptions
      where endpoint like ${`${hanging.origin}%`} and tries > 0 and (lease_token is not null) = ${state === 'leased'}`
    return row!.count
  }
  await eventually(async () => ((await count('leased')) >= 10 ? true : undefined))
  const quick = await createOwner()
  await quick.send('Your lights are on')
  await quick.browser.pushes()
  // all this while those that came first were still waiting for their service
  assert.equal(await count('put off'), 0)
})
