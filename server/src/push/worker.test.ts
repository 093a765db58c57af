import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Person, testApp } from '../test/app.ts'
import { eventually } from '../test/eventually.ts'
import { type FakeBrowser, startFakePushService } from '../test/fake-push-service.ts'
import { fieldsOf } from '../test/fields.ts'
import { toSubscription } from '../test/push.ts'
import { leaseDevices, renewPushLeases } from './delivery-queries.ts'
import { declarativePush } from './payloads.ts'
import { makeSendPush } from './send-push.ts'
import { loadVapidKeys } from './vapid.ts'

describe('push workers', () => {
  let service: Awaited<ReturnType<typeof startFakePushService>>
  before(async () => {
    service = await startFakePushService()
  })
  after(() => service.close())

  test('two processes notify a device of each message once, even of one from a process that does not push', async () => {
    const settings = { PUSH_HOSTS: service.origin }
    const web = await testApp({ settings: { ...settings, ROLE: 'web' } })
    const sibling = { config: web.config, database: web.database }
    try {
      const [owner, sender] = [await web.user(), await web.user()]
      const { plate } = await web.vehicle(owner)
      const browser = service.browser()
      await owner.post('/api/push/subscriptions', toSubscription(browser))
      await sender.post('/api/messages', { plate, content: 'while nobody pushes' })

      const workers = await Promise.all([testApp({ settings, sibling }), testApp({ settings, sibling })])
      try {
        await browser.pushes(1)
        for (let i = 0; i < 12; i++) {
          const { status } = await sender.post('/api/messages', { plate, content: `message ${i}` })
          assert.equal(status, 201)
          if (i % 3 === 0) await browser.pushes(2 + i) // some arrive alone, some together
        }
        await browser.pushes(13)
        await eventually(async () => {
          const [row] = await web.db`
            select from push_subscriptions s join notification_counters c using (user_id)
            where s.pushed_number < c.last_number or s.lease_token is not null`
          return row ? undefined : true
        })
        const tags = browser.taken().map(({ payload }) => payload.tag)
        assert.deepEqual([tags.length, new Set(tags).size], [13, 13])

        // its push service is busy, and then the browser gets another address: what waited comes there, once
        const renewed = service.browser()
        service.answer(browser, { status: 503, headers: { 'retry-after': '3000' } })
        await sender.post('/api/messages', { plate, content: 'while the service is busy' })
        await eventually(async () => {
          const [row] = await web.db`select from push_subscriptions where tries > 0 and lease_token is null`
          return row
        })
        await Promise.all([1, 2, 3].map(() => owner.post('/api/push/subscriptions', toSubscription(renewed))))
        await renewed.pushes(1)
        await sender.post('/api/messages', { plate, content: 'and one more' })
        await renewed.pushes(2)

        // the service takes a push, and its response is lost: it recognizes that the next attempt is the same push
        service.answer(renewed, { status: 201, loses: true })
        await sender.post('/api/messages', { plate, content: 'the last one' })
        await renewed.pushes(3)
        await web.db`update push_subscriptions set next_at = now() where lease_token is null`
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
      } finally {
        for (const worker of workers) await worker.close()
      }
    } finally {
      await web.close()
    }
  })

  test('a device leased by a dead worker is served when the lease expires, from where it was', async () => {
    const app = await testApp({ settings: { PUSH_HOSTS: service.origin } })
    try {
      const [owner, sender] = [await app.user(), await app.user()]
      const { plate } = await app.vehicle(owner)
      const browser = service.browser()
      await owner.post('/api/push/subscriptions', toSubscription(browser))
      // as left by a worker that was killed right after it leased the device
      await app.db`
        update push_subscriptions
        set tries = 1, next_at = now() + interval '1 hour', lease_token = gen_random_uuid()
        where user_id = ${owner.id}`
      await sender.post('/api/messages', { plate, content: 'one' })
      await sender.post('/api/messages', { plate, content: 'two' })
      await app.db`update push_subscriptions set pushed_number = 1 where user_id = ${owner.id}`
      assert.deepEqual(browser.taken(), [])
      await app.db`update push_subscriptions set next_at = now() where user_id = ${owner.id}`
      await browser.pushes(1)
      const { body } = await owner.get('/api/notifications')
      assert.deepEqual(
        browser.taken().map(({ payload }) => payload.tag),
        [body.items[0].id],
      )
    } finally {
      await app.close()
    }
  })

  test('a lease that is renewed lasts as long as a new one, unless another worker has taken it over', async () => {
    const app = await testApp({ settings: { PUSH_HOSTS: service.origin, ROLE: 'web' } })
    try {
      const [kept, lost, sender] = [await app.user(), await app.user(), await app.user()]
      for (const owner of [kept, lost]) {
        const { plate } = await app.vehicle(owner)
        await owner.post('/api/push/subscriptions', toSubscription(service.browser()))
        await sender.post('/api/messages', { plate, content: 'one' })
      }
      const leases = await leaseDevices(app.db, { of: 'all' }, 2)
      assert.equal(leases.length, 2)
      await app.db`update push_subscriptions set next_at = now() - interval '1 second'`
      const [taken] = await leaseDevices(app.db, { of: 'retries' }, 1)
      await app.db`update push_subscriptions set next_at = now() - interval '1 second'`
      await renewPushLeases(app.db, leases)
      const due = await leaseDevices(app.db, { of: 'retries' }, 2)
      assert.deepEqual(fieldsOf(due, 'session_id'), [taken!.session_id])
    } finally {
      await app.close()
    }
  })

  test('a service that does not respond costs one timeout', async () => {
    const app = await testApp({ settings: { PUSH_HOSTS: service.origin } })
    try {
      const browser = service.browser()
      service.answer(browser, 'silence')
      const vapidKeys = loadVapidKeys(app.config)!
      const giveUpSoon = makeSendPush(app.config, vapidKeys, { timeoutMs: 1_000 })
      const deliver = makeSendPush(app.config, vapidKeys, { timeoutMs: 60_000 })
      const text = { title: 'a', body: 'b', path: '/' }
      const payload = declarativePush(app.config, { ...text, tag: 'c', locale: 'en', unread: 0 })
      assert.deepEqual(await giveUpSoon(browser, payload), { state: 'deferred', reason: 'timeout' })
      assert.deepEqual(await deliver(browser, payload), { state: 'sent' })
      const stranger = { ...toSubscription(browser), endpoint: 'https://127.0.0.1:1/x' }
      assert.deepEqual(await deliver(stranger, payload), { state: 'gone' })
    } finally {
      await app.close()
    }
  })
})

type Service = Awaited<ReturnType<typeof startFakePushService>>

/** More than a service gets at a time. */
const DEVICES = 15
const DEVICES_OF_OWNER = 5

const hanging = await startFakePushService()
const working = await startFakePushService()
const settings = { PUSH_HOSTS: `${hanging.origin},${working.origin}` }
const web = await testApp({ settings: { ...settings, ROLE: 'web' } })

describe('push services side by side', () => {
  after(async () => {
    await hanging.close()
    await working.close()
  })

  const startWorker = () => testApp({ settings, sibling: { config: web.config, database: web.database } })

  /** Creates owners of vehicles who have so many devices in all. */
  async function createOwners(count: number, service: Service) {
    const plates: string[] = []
    const browsers: FakeBrowser[] = []
    let device: Person | undefined
    while (browsers.length < count) {
      const isNew = browsers.length % DEVICES_OF_OWNER === 0
      device = isNew || !device ? await web.user() : await web.signIn(device.email, device.password)
      if (isNew) plates.push((await web.vehicle(device)).plate)
      const browser = service.browser()
      const { status, text } = await device.post('/api/push/subscriptions', toSubscription(browser))
      assert.equal(status, 204, text)
      browsers.push(browser)
    }
    return { plates, browsers }
  }

  const notify = async (plates: string[]) => {
    const sender = await web.user()
    for (const plate of plates) {
      const { status, text } = await sender.post('/api/messages', { plate, content: 'Your lights are on' })
      assert.equal(status, 201, text)
    }
  }

  const arrive = (browsers: FakeBrowser[]) => Promise.all(browsers.map((browser) => browser.pushes()))

  test('a service that does not answer delays no push of another', async () => {
    const worker = await startWorker()
    try {
      const [slow, quick] = [await createOwners(DEVICES, hanging), await createOwners(DEVICES_OF_OWNER, working)]
      for (const browser of slow.browsers) hanging.answer(browser, 'silence')
      await notify(slow.plates)
      await eventually(async () => {
        const [row] = await web.db<{ leased: number }[]>`
          select count(*)::int as leased from push_subscriptions where lease_token is not null`
        return row!.leased >= 10 ? true : undefined
      })
      await notify(quick.plates)
      await arrive(quick.browsers)
      // all this while those that came first were still waiting for their service
      const [row] = await web.db<{ deferred: number }[]>`
        select count(*)::int as deferred from push_subscriptions where tries > 0 and lease_token is null`
      assert.equal(row!.deferred, 0)
    } finally {
      await worker.close()
    }
  })
})
