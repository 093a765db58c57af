import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Person } from '../test/app.ts'
import { startPushApp } from '../test/push.ts'
import { createAnswerToken, readAnswerToken } from './device-tokens.ts'

const { service, app, switchOn, send, createPair, untilPutOff, retryNow } = await startPushApp()

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
