import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import webPush from 'web-push'
import { loadConfig } from '../config.ts'
import { type Person, type TestApp, testApp } from '../test/app.ts'
import { PRODUCTION } from '../test/production-settings.ts'
import { startPushApp } from '../test/push.ts'
import { loadVapidKeys } from './vapid.ts'

const { service, app, switchOn } = await startPushApp()

describe('devices with notifications', () => {
  test('only known services and valid keys are accepted', async () => {
    const [owner, { keys, endpoint }] = [await app.user(), service.browser()]
    const strange = [
      'http://127.0.0.1:1/push',
      'https://127.0.0.1/push',
      `${service.origin}.example.com/x`,
      endpoint.replace('127.0.0.1', 'user:pass@127.0.0.1'),
      'https://fcm.googleapis.com/fcm/send/x',
      'file:///etc/passwd',
      'not an address',
    ]
    for (const address of strange) {
      const { status, body } = await owner.post('/api/push/subscriptions', { endpoint: address, keys })
      assert.deepEqual([status, body.code], [400, 'push_service_unknown'], address)
    }
    const flat = Buffer.alloc(65, 4).toString('base64url')
    for (const bad of [{ ...keys, p256dh: flat }, { ...keys, p256dh: keys.auth }, { ...keys, auth: keys.p256dh }, {}]) {
      const { status, body } = await owner.post('/api/push/subscriptions', { endpoint, keys: bad })
      assert.deepEqual([status, body.code], [400, 'invalid_input'])
    }
    const long = await owner.post('/api/push/subscriptions', { endpoint: endpoint + 'x'.repeat(1000), keys })
    assert.equal(long.status, 400)
    assert.equal((await app.visitor.post('/api/push/subscriptions', { endpoint, keys })).status, 401)
  })

  test('users can switch off their own devices only, which ends the pushes', async () => {
    const [owner, sender] = [await app.user(), await app.user()]
    const { plate } = await app.vehicle(owner)
    const browser = await switchOn(owner)
    const address = `/api/push/subscriptions?endpoint=${encodeURIComponent(browser.endpoint)}`
    assert.equal((await sender.delete(address)).status, 404)
    assert.equal((await owner.post('/api/push/test')).status, 204)
    assert.equal((await browser.pushes())[0]!.payload.title, 'This device is ready')
    assert.equal((await owner.delete(address)).status, 204)
    assert.equal((await owner.delete(address)).status, 404)
    assert.equal((await owner.delete('/api/push/subscriptions?endpoint=%00')).status, 400)
    assert.equal((await owner.post('/api/push/test')).status, 404)
    await sender.post('/api/messages', { plate, content: 'Hello' })
    const again = await switchOn(owner)
    await sender.post('/api/messages', { plate, content: 'Hello again' })
    await again.pushes()
    assert.equal(browser.taken().length, 1)
  })

  test('a device whose push service has changed its address stays one, by the token of its session alone', async () => {
    const [owner, sender, stranger] = [await app.user(), await app.user(), await app.user()]
    const { plate } = await app.vehicle(owner)
    const [former, { endpoint, keys }] = [await switchOn(owner), service.browser()]
    const tokenOf = async (who: Person): Promise<string> => (await who.get('/api/push')).body.renewal_token
    const renew = (token: string, device: object = { endpoint, keys }) =>
      app.visitor.post('/api/push/renewals', { ...device, token })
    const deviceOf = async (who: Person) =>
      (await app.db`select endpoint from push_subscriptions where user_id = ${who.id}`).map((row) => row['endpoint'])
    const token = await tokenOf(owner)
    const forged = `${(await tokenOf(stranger)).slice(0, 42)}${token.slice(42)}`
    for (const bad of [forged, token.slice(1), `${token}x`, '', '%']) assert.equal((await renew(bad)).status, 404, bad)
    const elsewhere = await renew(token, { endpoint: 'https://example.com/push', keys })
    assert.equal(elsewhere.body.code, 'push_service_unknown')
    assert.deepEqual(await deviceOf(owner), [former.endpoint])

    assert.equal((await renew(token)).status, 204)
    assert.deepEqual(await deviceOf(owner), [endpoint])
    // the push service may have said before that it no longer knows the former address
    await app.db`delete from push_subscriptions where user_id = ${owner.id}`
    const next = service.browser()
    assert.equal((await renew(token, { endpoint: next.endpoint, keys: next.keys })).status, 204)
    await sender.post('/api/messages', { plate, content: 'Hello' })
    assert.equal((await next.pushes()).length, 1)
    assert.deepEqual(former.taken(), [])
  })

  test('a failed test push is reported, and one to a device that is gone deletes it', async () => {
    const owner = await app.user()
    const browser = await switchOn(owner)
    service.answer(browser, { status: 500 })
    assert.deepEqual([(await owner.post('/api/push/test')).body.code], ['push_failed'])
    service.forget(browser)
    const gone = await owner.post('/api/push/test', undefined, { 'accept-language': 'fr' })
    assert.deepEqual(
      [gone.status, gone.body.error],
      [409, 'Cet appareil n’accepte plus nos notifications. Veuillez les activer de nouveau.'],
    )
    assert.equal((await owner.post('/api/push/test')).status, 404)
  })

  describe('with the real limits', () => {
    let limited: TestApp
    before(async () => {
      limited = await testApp({ sibling: app, settings: { PUSH_HOSTS: service.origin, LIMIT_SCALE: '1' } })
    })
    after(() => limited.close())

    test('the eleventh device replaces the oldest', async () => {
      const owner = await app.user()
      const browsers = [await switchOn(limited.withToken(owner.token))]
      for (let i = 1; i <= 10; i++) {
        const { token } = await app.signIn(owner.email, owner.password)
        browsers.push(await switchOn(limited.withToken(token)))
      }
      const { plate } = await app.vehicle(owner)
      await (await app.user()).post('/api/messages', { plate, content: 'Hello' })
      await Promise.all(browsers.slice(1).map((browser) => browser.pushes()))
      assert.deepEqual(browsers[0]!.taken(), [])
    })
  })
})

test('without keys there are no pushes in production, and keys that do not match stop the start', () => {
  assert.equal(loadVapidKeys(loadConfig(PRODUCTION)), null)
  const [keys, others] = [webPush.generateVAPIDKeys(), webPush.generateVAPIDKeys()]
  const given = { ...PRODUCTION, VAPID_PRIVATE_KEY: keys.privateKey }
  const config = loadConfig({ ...given, VAPID_PUBLIC_KEY: keys.publicKey })
  assert.deepEqual(loadVapidKeys(config), keys)
  assert.throws(() => loadConfig(given), /VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY go together/)
  const mixed = loadConfig({ ...given, VAPID_PUBLIC_KEY: others.publicKey })
  assert.throws(() => loadVapidKeys(mixed), /VAPID_PUBLIC_KEY is not the public key/)
})
