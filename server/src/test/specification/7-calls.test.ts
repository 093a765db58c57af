import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createAuthClient } from '../auth-client.ts'
import { extractAuthLink } from '../auth-links.ts'
import { CIVIC } from '../disputes.ts'
import { openStream } from '../event-stream.ts'
import { eventually } from '../eventually.ts'
import { list, register, registerPlate, send } from './calls.ts'
import { NEXT_PASSWORD, ORIGIN, PASSWORD, SERVICE_KEY, signUpData, startWalk, type Walker } from './walk.ts'

// Requirements §7, over HTTP.

const walk = await startWalk()
after(() => walk.close())

describe('backend service, auth, as the browser’s client calls it', () => {
  const email = 'caller@example.com'
  let client: ReturnType<typeof createAuthClient>
  const auth = () => client.auth
  const credentials = { email, password: PASSWORD }

  test('sign up (email, password, user data full_name)', async () => {
    client = createAuthClient(walk.url)
    const { data } = signUpData('Sam Roy', 'en')
    const { data: outcome, error } = await auth().signUp({ ...credentials, options: { data } })
    assert.deepEqual([error, outcome.session, outcome.user?.email], [null, null, email])
    assert.equal(outcome.user?.user_metadata['full_name'], 'Sam Roy')
  })

  test('resend verification via one-time link, as soon as it is wanted', async () => {
    await walk.mail(email, /./)
    assert.equal((await auth().signInWithOtp({ email })).error, null)
    await eventually(async () => walk.mails(email).length === 2 || undefined)
  })

  test('the link of the email verifies, and its token can be posted', async () => {
    const link = extractAuthLink(walk.mails(email).at(-1)!)
    assert.equal(link.searchParams.get('redirect_to'), `${ORIGIN}/verify-email`)
    const token_hash = link.searchParams.get('token')!
    const { data, error } = await auth().verifyOtp({ type: 'signup', token_hash })
    assert.deepEqual([error, data.user?.email], [null, email])
  })

  test('sign in with password (email, password); get session; get user', async () => {
    const signedIn = await auth().signInWithPassword(credentials)
    assert.equal(signedIn.error, null)
    const { data } = await auth().getSession()
    assert.equal(data.session?.access_token, signedIn.data.session?.access_token)
    assert.equal((await auth().getUser()).data.user?.email, email)
  })

  test('update user (full_name, or password)', async () => {
    const named = await auth().updateUser({ data: { full_name: 'Sam Tremblay' } })
    assert.deepEqual([named.error, named.data.user?.user_metadata['full_name']], [null, 'Sam Tremblay'])
    const changed = await auth().updateUser({ password: NEXT_PASSWORD })
    assert.equal(changed.error, null)
  })

  test('set session from access and refresh tokens; refresh; subscribe to auth state changes', async () => {
    const { data } = await auth().getSession()
    const { access_token, refresh_token } = data.session!
    const other = createAuthClient(walk.url)
    assert.equal((await other.auth.setSession({ access_token, refresh_token })).data.user?.email, email)
    assert.equal((await other.auth.refreshSession()).error, null)
    for (const event of ['SIGNED_IN', 'TOKEN_REFRESHED']) assert.ok(other.events.includes(event), other.events.join())
    for (const event of ['SIGNED_IN', 'USER_UPDATED']) assert.ok(client.events.includes(event), client.events.join())
  })

  test('reset password for email (redirect to /reset-password)', async () => {
    const { error } = await auth().resetPasswordForEmail(email, { redirectTo: `${ORIGIN}/fr/reset-password` })
    assert.equal(error, null)
    const { page, fragment } = await walk.open(extractAuthLink(await walk.mail(email, /reset/i)))
    assert.deepEqual([page, fragment['type']], [`${ORIGIN}/fr/reset-password`, 'recovery'])
  })

  test('sign out', async () => {
    await auth().signInWithPassword({ email, password: NEXT_PASSWORD })
    const token = client.stored()!.access_token
    assert.equal((await auth().signOut()).error, null)
    assert.equal((await walk.withToken(token).get('/auth/v1/user')).status, 403)
    assert.equal(client.events.at(-1), 'SIGNED_OUT')
  })
})

describe('external API', () => {
  for (const [type, more] of [
    ['message', { message: 'Your lights are on.', link: `${ORIGIN}/dashboard/messages` }],
    ['reply', { message: 'On my way.', link: `${ORIGIN}/dashboard/messages` }],
    ['vehicle-approved', {}],
    ['vehicle-rejected', { reason: 'It cannot be read.' }],
    ['vehicle-deleted', {}],
  ] as const) {
    const fields = ['to', 'type', 'plate', ...Object.keys(more)].join(', ')
    test(`POST /send-email, ${type}: ${fields}; the field error is read on failure`, async () => {
      const to = `${type}@example.com`
      const mail = { type, to, plate: 'CALLS1', ...more }
      const refused = await walk.visitor().post('/send-email', mail)
      assert.deepEqual([refused.status, typeof refused.body.error], [403, 'string'])
      assert.equal((await walk.withToken(SERVICE_KEY).post('/send-email', mail)).status, 200)
      const { text, html } = await walk.mail(to, /CALLS1/)
      for (const said of Object.values(more)) assert.ok(text.includes(said) || html.includes(said), text)
    })
  }

  test('POST /register-plate: user_id, email, plate, make, model, registration_year, province; the response has status or error', async () => {
    const owner = await walk.person()
    const body = { user_id: owner.id, email: owner.email, plate: 'CALLS2', ...CIVIC }
    const first = await owner.post('/register-plate', body)
    assert.deepEqual([first.status, first.body.status], [200, 'registered'])
    const second = await registerPlate(await walk.person(), 'CALLS2')
    assert.deepEqual([second.status, second.body.status], [200, 'dispute_started'])
    const again = await owner.post('/register-plate', body)
    assert.deepEqual([again.status, again.body.error], [409, 'You’ve already registered this plate.'])
  })
})

describe('backend service, data', () => {
  let owner: Walker
  let sender: Walker
  before(async () => {
    ;[owner, sender] = [await walk.person(), await walk.person()]
  })

  test('vehicles: the own ones, newest first; delete by id', async () => {
    for (const plate of ['DATA1', 'DATA2', 'DATA3']) await register(owner, plate)
    const plates = async () => (await list(owner, '/api/vehicles')).map(({ plate }) => plate)
    assert.deepEqual(await plates(), ['DATA3', 'DATA2', 'DATA1'])
    const [newest] = await list(owner, '/api/vehicles')
    assert.equal((await sender.delete(`/api/vehicles/${newest.id}`)).status, 404)
    assert.equal((await owner.delete(`/api/vehicles/${newest.id}`)).status, 204)
    assert.deepEqual(await plates(), ['DATA2', 'DATA1'])
  })

  test('messages: with the vehicle’s plate, newest first', async () => {
    for (const plate of ['DATA1', 'DATA2']) await send(sender, plate, `To ${plate}`)
    for (const [who, view] of [
      [owner, 'received'],
      [sender, 'sent'],
    ] as const) {
      const messages = await list(who, `/api/messages?view=${view}`)
      assert.deepEqual(
        messages.map(({ plate, content }) => [plate, content]),
        [
          ['DATA2', 'To DATA2'],
          ['DATA1', 'To DATA1'],
        ],
      )
    }
  })

  test('notifications: those unread are counted; all of the user, newest first', async () => {
    assert.deepEqual((await owner.get('/api/notifications/unread-count')).body, { count: 2 })
    const notifications = await list(owner, '/api/notifications')
    assert.deepEqual(
      notifications.map(({ type, data }) => [type, data.plate]),
      [
        ['message_received', 'DATA2'],
        ['message_received', 'DATA1'],
      ],
    )
    assert.deepEqual(await list(sender, '/api/notifications'), [])
  })

  test('notifications: a realtime subscription to inserts for the user', async () => {
    const [own, other] = [await openStream(walk.url, owner.token), await openStream(walk.url, sender.token)]
    assert.equal(own.status, 200)
    assert.match(own.headers.get('content-type')!, /^text\/event-stream/)
    await other.next(({ event }) => event === 'unread')
    const id = await send(sender, 'DATA1', 'Now')
    const event = await own.next(({ event }) => event === 'notification')
    assert.equal(JSON.parse(event.data).data.message_id, id)
    assert.deepEqual(JSON.parse(event.data), (await list(owner, '/api/notifications'))[0])
    await own.next(({ event, data }) => event === 'unread' && JSON.parse(data).count === 3)
    assert.ok(!other.raw().includes(id))
    await Promise.all([own.close(), other.close()])
  })
})
