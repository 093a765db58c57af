import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Person, type TestApp, testApp } from '../test/app.ts'
import { eventually } from '../test/eventually.ts'
import { type FakeBrowser, startFakePushService } from '../test/fake-push-service.ts'
import { SECOND_MS, withTimeout } from '../time.ts'

type Service = Awaited<ReturnType<typeof startFakePushService>>

/** More than a service gets at a time. */
const DEVICES = 15
const DEVICES_OF_OWNER = 5
/** Well below the 30 s after which a sweep finds what was forgotten. */
const IN_GOOD_TIME_MS = 15 * SECOND_MS

describe('push services side by side', () => {
  let hanging: Service
  let working: Service
  let web: TestApp
  let settings: { PUSH_HOSTS: string }
  before(async () => {
    hanging = await startFakePushService()
    working = await startFakePushService()
    settings = { PUSH_HOSTS: `${hanging.origin},${working.origin}` }
    web = await testApp({ settings: { ...settings, ROLE: 'web' } })
  })
  after(async () => {
    await web.close()
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
      const { endpoint, keys } = browser
      const { status, text } = await device.post('/api/push/subscriptions', { endpoint, keys })
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

  const arrive = (browsers: FakeBrowser[]) =>
    withTimeout(Promise.all(browsers.map((browser) => browser.pushes())), IN_GOOD_TIME_MS)

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
