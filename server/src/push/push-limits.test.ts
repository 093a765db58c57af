import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import webPush from 'web-push'
import { loadConfig } from '../config.ts'
import { type TestApp, testApp } from '../test/app.ts'
import { type FakeBrowser, startFakePushService } from '../test/fake-push-service.ts'
import { loadVapidKeys } from './vapid.ts'

describe('limits of notifications on devices', () => {
  let service: Awaited<ReturnType<typeof startFakePushService>>
  let app: TestApp
  before(async () => {
    service = await startFakePushService()
    app = await testApp({ settings: { PUSH_HOSTS: service.origin, LIMIT_SCALE: '1' } })
  })
  after(async () => {
    await app.close()
    await service.close()
  })

  const toSubscription = ({ endpoint, keys }: FakeBrowser) => ({ endpoint, keys })

  test('the eleventh device replaces the oldest', async () => {
    const owner = await app.user()
    const browsers: FakeBrowser[] = []
    for (let i = 0; i < 11; i++) {
      const browser = service.browser()
      browsers.push(browser)
      const device = i === 0 ? owner : await app.signIn(owner.email, owner.password)
      assert.equal((await device.post('/api/push/subscriptions', toSubscription(browser))).status, 204)
    }
    const sender = await app.user()
    const { plate } = await app.vehicle(owner)
    await sender.post('/api/messages', { plate, content: 'Hello' })
    await Promise.all(browsers.slice(1).map((browser) => browser.pushes()))
    assert.deepEqual(browsers[0]!.taken(), [])
  })

  test('five test pushes an hour are sent', async () => {
    const owner = await app.user()
    const browser = service.browser()
    await owner.post('/api/push/subscriptions', toSubscription(browser))
    for (let i = 0; i < 5; i++) assert.equal((await owner.post('/api/push/test')).status, 204)
    const { status, headers } = await owner.post('/api/push/test')
    assert.equal(status, 429)
    assert.ok(Number(headers.get('retry-after')) > 0)
    assert.equal(browser.taken().length, 5)
  })
})

test('without keys there are no pushes in production, and keys that do not match stop the start', () => {
  const production = {
    NODE_ENV: 'production',
    PUBLIC_URL: 'https://platenote.ca',
    MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    JWT_SECRET: 'x'.repeat(32),
    SMTP_URL: 'smtp://mail.example.com',
    MAIL_FROM: 'PlateNote <notes@platenote.ca>',
    SUPPORT_EMAIL: 'support@platenote.ca',
    MAIL_SENDER_NAME: 'PlateNote Inc.',
    MAIL_POSTAL_ADDRESS: '1 Main Street, Toronto ON  M5V 1A1',
    PRIVACY_OFFICER: 'Jeanne Côté',
  }
  assert.equal(loadVapidKeys(loadConfig(production)), null)
  const [keys, others] = [webPush.generateVAPIDKeys(), webPush.generateVAPIDKeys()]
  const given = { ...production, VAPID_PRIVATE_KEY: keys.privateKey }
  const config = loadConfig({ ...given, VAPID_PUBLIC_KEY: keys.publicKey })
  assert.deepEqual(loadVapidKeys(config), keys)
  assert.throws(() => loadConfig(given), /VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY go together/)
  const mixed = loadConfig({ ...given, VAPID_PUBLIC_KEY: others.publicKey })
  assert.throws(() => loadVapidKeys(mixed), /VAPID_PUBLIC_KEY is not the public key/)
})
