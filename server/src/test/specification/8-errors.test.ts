import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createAuthClient } from '../auth-client.ts'
import { assertReads, list, register, registerPlate, send, sendTo, statuses } from './calls.ts'
import { PASSWORD, SERVICE_KEY, signUpData, startWalk } from './walk.ts'

// Requirements §8, over HTTP. Texts that pages have of their own are checked in e2e.

const walk = await startWalk()
after(() => walk.close())
const [owner, sender] = [await walk.person(), await walk.person()]

const signUp = (email: string) => {
  const { data } = signUpData('Sam Roy', 'en')
  return walk.visitor().post('/auth/v1/signup', { email, password: PASSWORD, data })
}
const signIn = (email: string, password = PASSWORD) =>
  walk.visitor().post('/auth/v1/token?grant_type=password', { email, password })

test('sign-up: the service says when an account with that email already exists', async () => {
  const { status, body } = await signUp(owner.email)
  assert.deepEqual([status, body.identities], [200, []])
})

test('verify email: until the link was followed, signing in says that the address is not verified', async () => {
  const email = 'waiting@example.com'
  const { body } = await signUp(email)
  assert.equal(body.identities.length, 1)
  const { status, body: refused } = await signIn(email)
  assert.deepEqual([status, refused.error_code, refused.msg], [400, 'email_not_confirmed', 'Email not confirmed'])
})

test('login: the error has a message', async () => {
  const { status, body } = await signIn(owner.email, 'Another-harbour-1')
  assert.deepEqual([status, body.msg], [400, 'Invalid login credentials'])
})

test('reset request: succeeds for every address', async () => {
  for (const email of [owner.email, 'nobody@example.com']) {
    const { status, body } = await walk.visitor().post('/auth/v1/recover', { email })
    assert.deepEqual([status, body], [200, {}])
  }
})

test('vehicle registration: the response has the error', async () => {
  await register(owner, 'ERROR1')
  await assertReads(
    (headers) => registerPlate(owner, 'ERROR1', {}, headers),
    409,
    "You've already registered this plate.",
  )
})

test('vehicle deletion: a message, and the vehicle is still there', async () => {
  const [{ id }] = await list(owner, '/api/vehicles')
  await assertReads((headers) => sender.delete(`/api/vehicles/${id}`, undefined, headers), 404, 'Not found.')
  assert.deepEqual(await statuses(owner), ['active'])
})

test('sending: That plate is not registered.', async () => {
  await assertReads((headers) => sendTo(sender, 'NOBODY1', 'Hello', headers), 404, 'That plate is not registered.')
})

test("sending: You can't send a message to your own vehicle.", async () => {
  const text = "You can't send a message to your own vehicle."
  await assertReads((headers) => sendTo(owner, 'ERROR1', 'Hello', headers), 409, text)
})

test('reply: a second one is refused', async () => {
  const id = await send(sender, 'ERROR1', 'Hello')
  const reply = (headers?: Record<string, string>) => owner.post(`/api/messages/${id}/reply`, { reply: 'Hi' }, headers)
  assert.equal((await reply()).status, 200)
  await assertReads(reply, 409, 'You have already replied to this message.')
})

test('sending: message and notification are saved before the email step, so an email failure leaves them in place', async () => {
  const bouncing = await walk.person()
  await register(bouncing, 'ERROR2')
  walk.refuseMailsTo(bouncing.email)
  const id = await send(sender, 'ERROR2', 'Your door is open.')
  await walk.refusedMailTo(bouncing.email)
  const [message] = await list(bouncing, '/api/messages?view=received')
  assert.deepEqual([message.id, message.content], [id, 'Your door is open.'])
  const [notification] = await list(bouncing, '/api/notifications')
  assert.deepEqual([notification.type, notification.data.message_id], ['message_received', id])
})

test('sending an email for other software: Failed to send email', async () => {
  const to = 'refused@example.com'
  walk.refuseMailsTo(to)
  const mail = { type: 'vehicle-approved', to, plate: 'ERROR3' }
  const software = walk.withToken(SERVICE_KEY)
  await assertReads((headers) => software.post('/send-email', mail, headers), 502, 'Failed to send email')
})

test('auth service: Auth session missing! (400); weak_password carries reasons; invalid JWT 400', async () => {
  const { auth } = createAuthClient(walk.url)
  const missing = (await auth.getUser()).error
  assert.deepEqual([missing?.message, missing?.status], ['Auth session missing!', 400])
  const weak = (await auth.signUp({ email: 'weak@example.com', password: 'quietly-57' })).error
  assert.deepEqual([weak?.code, (weak as { reasons?: string[] } | null)?.reasons], ['weak_password', ['characters']])
  const garbage = (await auth.setSession({ access_token: 'a.b.c', refresh_token: 'x' })).error
  assert.equal(garbage?.status, 400)
})

test('auth service: sign-out ignores 401, 403 and 404', async () => {
  const { auth, store } = createAuthClient(walk.url)
  await auth.signInWithPassword({ email: sender.email, password: PASSWORD })
  const { data } = await auth.getSession()
  await walk.withToken(data.session!.access_token).post('/auth/v1/logout')
  store({})
  assert.equal((await auth.signOut()).error, null)
  assert.equal((await auth.getSession()).data.session, null)
})
