import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import webPush from 'web-push'
import { loadConfig } from '../config.ts'
import { type Person, type TestApp, testApp } from '../test/app.ts'
import { eventually } from '../test/eventually.ts'
import { verifyVapidSignature } from '../test/fake-push-service.ts'
import { PRODUCTION } from '../test/production-settings.ts'
import { startPushApp } from '../test/push.ts'
import { createAnswerToken, readAnswerToken } from './device-tokens.ts'
import { loadVapidKeys } from './vapid.ts'

const { service, app, switchOn, send, createPair, untilPutOff, untilSettled, retryNow, countDevices } =
  await startPushApp()

describe('notifications on devices', () => {
  test('a new message is pushed encrypted and signed, with its plate and reason and without its text', async () => {
    const { owner, sender, plate, browser } = await createPair()
    const id = await send(sender, plate, 'My own words about the lights', { reason: 'lights_on' })
    const [push] = await browser.pushes()
    assert.equal(push!.payload.title, `New message for ${plate}`)
    assert.equal(push!.payload.body, 'Your lights are on')
    assert.equal(push!.payload.navigate, `http://platenote.test/dashboard/messages?view=received#${id}`)
    const { body: notices } = await owner.get('/api/notifications')
    assert.equal(push!.payload.tag, notices.items[0].id)
    assert.deepEqual(
      push!.payload.actions?.map(({ action, title, navigate }) => [action, title, navigate]),
      [
        ['coming', 'I’m coming now', `http://platenote.test/dashboard/messages?view=received&answer=coming#${id}`],
        ['open', 'Open', push!.payload.navigate],
      ],
    )
    assert.deepEqual([push!.message.app_badge, push!.payload.app_badge], [1, 1])

    const { headers } = push!
    assert.deepEqual(
      [headers['content-encoding'], headers['ttl'], headers['urgency']],
      ['aes128gcm', String(24 * 3600), 'high'],
    )
    const signature = verifyVapidSignature(push!)
    assert.equal(signature?.claims['aud'], service.origin)
    assert.equal(signature?.claims['sub'], 'mailto:support@platenote.ca')
    assert.equal(signature?.key, (await owner.get('/api/push')).body.public_key)
  })

  test('the text is shown only if the owner allows it, in the owner’s language, and long ones are cut', async () => {
    const { owner, sender, plate, browser } = await createPair({ locale: 'fr-CA' })
    assert.deepEqual((await owner.get('/api/push')).body.message_text, false)
    await send(sender, plate, 'Nothing of this')
    assert.equal((await browser.pushes(1))[0]!.payload.title, `Nouveau message pour ${plate}`)
    assert.equal(browser.taken()[0]!.payload.body, 'Ouvrez PlateNote pour le lire.')
    assert.equal(browser.taken()[0]!.payload.lang, 'fr-CA')
    assert.deepEqual(
      browser.taken()[0]!.payload.actions?.map(({ title }) => title),
      ['J’arrive', 'Ouvrir'],
    )
    assert.match(browser.taken()[0]!.payload.navigate, /^http:\/\/platenote\.test\/fr\/dashboard\/messages/)
    assert.ok(!browser.taken()[0]!.text.includes('Nothing'))
    const other = await app.vehicle(sender)
    const id = await send(owner, other.plate, 'A question')
    assert.equal((await sender.post(`/api/messages/${id}/reply`, { reply: 'Nothing of this either' })).status, 200)
    assert.ok(!(await browser.pushes(2))[1]!.text.includes('Nothing'))

    assert.equal((await owner.patch('/api/push', { message_text: true })).body.message_text, true)
    await send(sender, plate, 'Two\n\nlines, \u{1F697}', { reason: 'towing' })
    const second = (await browser.pushes(3))[2]!.payload
    assert.equal(
      second.body,
      'Votre véhicule risque d’être remorqué ou de recevoir une contravention\nTwo lines, \u{1F697}',
    )
    await send(sender, plate, '\u{1F697}'.repeat(1500))
    const third = (await browser.pushes(4))[3]!
    assert.equal([...third.payload.body].length, 300)
    assert.ok(third.raw.length <= 4096, 'every push service takes it')
    const ready = 'Hi! Your vehicle is blocking mine and I can’t get out. Could you please move it? Thank you!'
    await send(sender, plate, ready, { reason: 'blocked_in' })
    assert.match((await browser.pushes(5))[4]!.payload.body, /^Bonjour! Votre véhicule bloque le mien/)
  })

  test('a disputed plate and each step with a witness are pushed, in the reader’s language', async () => {
    const { owner, sender, plate, browser } = await createPair()
    const ofSender = await switchOn(sender)
    const collision = { kind: 'saw', witness: true }
    const id = await send(sender, plate, 'I saw it', { reason: 'accident', collision })
    await browser.pushes(1)
    assert.equal((await owner.post(`/api/messages/${id}/witness/ask`)).status, 200)
    const [asked] = await ofSender.pushes(1)
    assert.equal(asked!.payload.title, `The owner of ${plate} asks for your contact`)
    assert.equal(asked!.payload.navigate, `http://platenote.test/dashboard/messages?view=sent#${id}`)
    const contact = { name: 'Noor Haddad', phone: '416-555-0142' }
    await sender.post(`/api/messages/${id}/witness/answer`, { release: true, contact })
    const [, answered] = await browser.pushes(2)
    assert.equal(answered!.payload.title, `The witness has answered (${plate})`)
    // fewer digits may be in an id or a key by chance
    assert.doesNotMatch(JSON.stringify(answered), /555\D{0,3}0142|Haddad/)

    const french = await createPair({ locale: 'fr-CA' })
    const { province } = (await french.owner.get('/api/vehicles')).body.items[0]
    const challenger = await app.user()
    const input = { plate: french.plate, make: 'Honda', model: 'Civic', registration_year: 2020, province }
    assert.equal((await challenger.post('/register-plate', input)).body.status, 'dispute_started')
    const [disputed] = await french.browser.pushes(1)
    assert.equal(disputed!.payload.title, `Une autre personne a enregistré la plaque ${french.plate}`)
    assert.equal(disputed!.payload.navigate, `http://platenote.test/fr/dashboard/vehicles/${french.vehicleId}/dispute`)
  })

  test('notifications older than the device, or already read, are not pushed', async () => {
    const [owner, sender] = [await app.user(), await app.user()]
    const { plate } = await app.vehicle(owner)
    await send(sender, plate, 'Before')
    const browser = await switchOn(owner)
    service.answer(browser, { status: 503 })
    await send(sender, plate, 'Read elsewhere')
    await untilPutOff(owner)
    await owner.post('/api/notifications/read-all')
    await retryNow(owner)
    await untilSettled(owner)
    assert.deepEqual(browser.taken(), [])
  })

  test('many notifications become one push', async () => {
    const { owner, sender, plate, browser } = await createPair()
    service.answer(browser, { status: 500 })
    await send(sender, plate, 'First')
    await untilPutOff(owner)
    for (const word of ['two', 'three', 'four']) await send(sender, plate, word)
    await retryNow(owner)
    const [push] = await browser.pushes()
    assert.equal(push!.payload.title, '4 new notifications')
    assert.equal(push!.payload.navigate, 'http://platenote.test/dashboard/notifications')
    await untilSettled(owner)
    assert.equal(browser.taken().length, 1)
  })

  test('a device is deleted when its service no longer knows it', async () => {
    const { owner, sender, plate, browser } = await createPair()
    service.forget(browser)
    await send(sender, plate, 'Hello')
    await eventually(async () => ((await countDevices(owner)) === 0 ? true : undefined))
    assert.equal((await owner.post('/api/push/test')).status, 404)
  })

  test('a busy service is tried again after the time it asks for, and another device is not notified twice', async () => {
    const { owner, sender, plate, browser } = await createPair()
    const second = await switchOn(await app.signIn(owner.email, owner.password))
    service.answer(browser, { status: 429, headers: { 'retry-after': '3000' } })
    await send(sender, plate, 'Hello')
    await second.pushes()
    const { wait } = await untilPutOff(owner)
    assert.ok(wait > 2900 && wait <= 3000, `it waits ${wait} s`)
    await retryNow(owner)
    await browser.pushes()
    await untilSettled(owner)
    assert.deepEqual([browser.taken().length, second.taken().length], [1, 1])
  })

  test('a rejected push does not block the next one, and redirects are not followed', async () => {
    const { owner, sender, plate, browser } = await createPair()
    const trap = service.browser()
    service.answer(browser, { status: 413 }, { status: 307, headers: { location: trap.endpoint } })
    for (const word of ['too large', 'elsewhere', 'good']) {
      await send(sender, plate, word)
      await untilSettled(owner)
    }
    assert.deepEqual([browser.taken().length, trap.taken().length], [1, 0])
  })

  test('a browser where another user signs in gets nothing more for the first', async () => {
    const { sender, plate, browser } = await createPair()
    const next = await createPair()
    await switchOn(next.owner, browser)
    await send(sender, plate, 'For the first')
    await send(sender, next.plate, 'For the second')
    assert.equal((await browser.pushes())[0]!.payload.title, `New message for ${next.plate}`)
    await untilSettled(next.owner)
    assert.equal(browser.taken().length, 1)
  })
})

describe('answers from a notification', () => {
  /** Creates an owner with a device, and a message of a sender that has been pushed to it. */
  const createPushed = async (locale = 'en') => {
    const pair = await createPair({ locale })
    const id = await send(pair.sender, pair.plate, 'Please move your car')
    const [push] = await pair.browser.pushes()
    return { ...pair, id, token: push!.payload.data!.answer_token }
  }

  const answer = (token: unknown) => app.visitor.post('/api/push/answers', { token })
  const answerOf = async (sender: Person, id: string) => (await sender.get(`/api/messages/${id}`)).body.answer

  test('one tap answers once, in both languages, and takes its message off the count', async () => {
    const { owner, sender, id, token } = await createPushed('fr-CA')
    const both = await Promise.all([answer(token), answer(token)])
    assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 409])
    const { body } = both.find(({ status }) => status === 200)!
    assert.deepEqual(body, {
      title: 'Réponse envoyée',
      body: 'L’autre personne lit que vous arrivez tout de suite.',
      lang: 'fr-CA',
      unread: 0,
    })
    assert.equal(await answerOf(sender, id), 'coming')
    const { body: read } = await owner.get(`/api/messages/${id}`)
    assert.deepEqual([read.answer, read.reply, read.is_read], ['coming', '', true])
    assert.equal((await owner.get('/api/notifications/unread-count')).body.count, 0)
    const { body: notices } = await sender.get('/api/notifications')
    assert.equal(notices.items.length, 1)
    assert.deepEqual([(await answer(token)).body.code], ['already_replied'])
  })

  test('it answers for nobody else: not once the device or the vehicle changed hands, or nobody used the session', async () => {
    const switchedOff = await createPushed()
    await switchedOff.owner.delete(
      `/api/push/subscriptions?endpoint=${encodeURIComponent(switchedOff.browser.endpoint)}`,
    )
    const idle = await createPushed()
    await app.db`update auth.sessions set refreshed_at = now() - interval '2 years' where user_id = ${idle.owner.id}`
    // somebody else signs in in the same browser and switches notifications on, while the first session lasts
    const handed = await createPushed()
    await switchOn(await app.user(), handed.browser)
    const sold = await createPushed()
    await app.db`update vehicles set user_id = ${handed.owner.id} where user_id = ${sold.owner.id}`
    for (const { token, sender, id } of [switchedOff, idle, handed, sold]) {
      const { status, body } = await answer(token)
      assert.deepEqual([status, body.code], [404, 'not_found'])
      assert.equal(await answerOf(sender, id), null)
    }
  })

  test('a token is good for its message and its day only, and cannot be made up', async () => {
    const { token, sender, id, owner, plate } = await createPushed()
    const bytes = Buffer.from(token, 'base64url')
    for (const at of [0, 16, 33, bytes.length - 1]) {
      const changed = Buffer.from(bytes)
      changed[at]! ^= 1
      assert.equal((await answer(changed.toString('base64url'))).status, 404)
    }
    for (const bad of ['', 'x'.repeat(70), `${token}x`, 'x'.repeat(201), 7, null]) {
      assert.ok([400, 404].includes((await answer(bad)).status), String(bad))
    }
    const yesterday = Date.now() - 25 * 3600_000
    const claim = readAnswerToken(app.context.keyring, token, Date.now())!
    assert.equal((await answer(createAnswerToken(app.context.keyring, claim, yesterday))).status, 404)
    const { body: other } = await sender.post('/api/messages', { plate, content: 'Another one' })
    assert.equal((await answer(token)).status, 200)
    assert.deepEqual([await answerOf(sender, id), await answerOf(sender, other.id)], ['coming', null])
    assert.equal((await owner.get('/api/notifications/unread-count')).body.count, 1)
  })

  test('a push of a message that was answered meanwhile offers no answer, and the count is that of its person', async () => {
    const { owner, sender, plate, browser } = await createPushed()
    service.answer(browser, { status: 503, headers: { 'retry-after': '0' } })
    const { body } = await sender.post('/api/messages', { plate, content: 'Second' })
    await untilPutOff(owner)
    await owner.post(`/api/messages/${body.id}/reply`, { reply: '', answer: 'thanks' })
    await owner.patch(`/api/messages/${body.id}`, { is_read: false })
    await retryNow(owner)
    const [, second] = await browser.pushes(2)
    assert.equal(second!.payload.actions, undefined)
    assert.deepEqual([second!.message.app_badge, second!.payload.app_badge], [2, 2])
    await owner.post('/api/notifications/read-all')
    assert.equal((await owner.post('/api/push/test')).status, 204)
    const test = browser.taken().at(-1)!
    assert.deepEqual([test.payload.tag, test.message.app_badge], ['test', 0])
  })
})

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

test('without a key there are no pushes in production, and what is no private key stops the start', () => {
  assert.equal(loadVapidKeys(loadConfig(PRODUCTION)), null)
  const keys = webPush.generateVAPIDKeys()
  assert.deepEqual(loadVapidKeys(loadConfig({ ...PRODUCTION, VAPID_PRIVATE_KEY: keys.privateKey })), keys)
  assert.throws(() => loadConfig({ ...PRODUCTION, VAPID_PRIVATE_KEY: keys.publicKey }), /VAPID_PRIVATE_KEY must be/)
})
