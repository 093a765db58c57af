import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deleteAccount, PASSWORD, type Person, testApp } from '../test/app.ts'
import { createAdmin } from '../test/disputes.ts'
import { assertEnds, openStream } from '../test/event-stream.ts'
import { withFactor } from '../test/factors.ts'
import { startPushApp, toSubscription } from '../test/push.ts'
import { suspend } from '../test/sanctions.ts'

// What a session gets, it gets by one rule, whichever way it leaves the server.

const { service, app, createPair, send, untilPutOff, untilSettled, retryNow } = await startPushApp()
const sibling = await testApp({ settings: { DATABASE_POOL: '4', ROLE: 'web' }, sibling: app })

type Loss = (person: Person) => Promise<unknown>
/** What takes the right of a session, at once and in every process, and what its calls are answered from then on. */
const LOSSES: Record<string, [Loss, status: number, code: string]> = {
  'a sign-out': [(person) => person.post('/auth/v1/logout'), 401, 'session_ended'],
  'the end of the account': [
    async ({ email }) => deleteAccount(await app.signIn(email, PASSWORD)),
    401,
    'session_ended',
  ],
  'a suspension': [async (person) => suspend(await createAdmin(app), person), 403, 'suspended'],
  'a stolen refresh token': [
    async ({ refreshToken }) => {
      const refresh = async (refresh_token: string): Promise<string> =>
        (await app.visitor.post('/auth/v1/token?grant_type=refresh_token', { refresh_token })).body.refresh_token
      await refresh(await refresh(refreshToken))
      await app.db`update auth.refresh_tokens set used_at = used_at - interval '1 minute' where used_at is not null`
      await refresh(refreshToken)
    },
    401,
    'session_ended',
  ],
  'a new password on another device': [
    async ({ email }) =>
      (await app.signIn(email, PASSWORD)).put('/auth/v1/user', {
        password: 'Another-horse-8',
        current_password: PASSWORD,
      }),
    401,
    'session_ended',
  ],
  'a second factor on another device': [
    async ({ email }) => withFactor(app, await app.signIn(email, PASSWORD)),
    403,
    'second_factor_required',
  ],
}

for (const [what, [lose, status, code]] of Object.entries(LOSSES))
  test(`${what} ends the calls, streams, pushes, renewals and answers of a session`, async () => {
    const { owner, sender, plate, browser } = await createPair()
    const { renewal_token } = (await owner.get('/api/push')).body
    const id = await send(sender, plate, 'Please move your car')
    const [push] = await browser.pushes()
    service.answer(browser, { status: 503, headers: { 'retry-after': '3000' } })
    await send(sender, plate, 'Your lights are on')
    await untilPutOff(owner)
    const streams = [await openStream(app.url, owner.token), await openStream(sibling.url, owner.token)]
    await Promise.all(streams.map((stream) => stream.next((event) => event.event === 'unread')))

    await assertEnds(streams, () => lose(owner))

    const called = await owner.get('/api/vehicles')
    assert.deepEqual([called.status, called.body.code], [status, code])
    const elsewhere = service.browser()
    const renewed = await app.visitor.post('/api/push/renewals', {
      ...toSubscription(elsewhere),
      token: renewal_token,
    })
    assert.equal(renewed.status, 404)
    const answered = await app.visitor.post('/api/push/answers', { token: push!.payload.data!.answer_token })
    assert.equal(answered.status, 404)
    assert.ok(!(await sender.get(`/api/messages/${id}`)).body.answer)

    await retryNow(owner)
    await untilSettled(owner)
    assert.deepEqual([browser.taken().length, elsewhere.taken().length], [1, 0])
  })
