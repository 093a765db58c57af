import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createAuthClient } from '../auth-client.ts'
import { extractAuthLink } from '../auth-links.ts'
import { eventually } from '../eventually.ts'
import { list, register, send } from './calls.ts'
import { NEXT_PASSWORD, ORIGIN, PASSWORD, SERVICE_KEY, signUpData, startWalk, type Walker } from './walk.ts'

// Requirements §6 and §7, over HTTP: what each sees, and the calls. Who may call what is in the matrix, and that nobody learns who another
// is in confidentiality.test.ts.

const walk = await startWalk()
after(() => walk.close())

const owner = await walk.person({ fullName: 'Sam Roy' })
const sender = await walk.person({ fullName: 'Robin Unmistakable', locale: 'fr-CA' })
const admin = await walk.admin()
await register(owner, 'ROLES1')
await register(sender, 'ROLES2', { province: 'Quebec' })

test('received messages are those whose vehicle belongs to the user; sent are those the user sent', async () => {
  const [there, back] = [await send(sender, 'ROLES1', 'To Sam'), await send(owner, 'ROLES2', 'To Robin')]
  const ids = async (who: Walker, view: string) => (await list(who, `/api/messages?view=${view}`)).map(({ id }) => id)
  assert.deepEqual([await ids(owner, 'received'), await ids(owner, 'sent')], [[there], [back]])
  assert.deepEqual([await ids(sender, 'received'), await ids(sender, 'sent')], [[back], [there]])
  assert.equal((await (await walk.person()).get(`/api/messages/${there}`)).status, 404)
})

test('admin: sees vehicle counts by province (status active or verified)', async () => {
  const counts = async () => {
    const { total, by_province } = (await admin.get('/api/admin/stats')).body
    return [total, by_province.Ontario, by_province.Quebec, by_province.Manitoba]
  }
  assert.deepEqual(await counts(), [2, 1, 1, 0])
  const [mine] = await list(owner, '/api/vehicles')
  assert.equal((await admin.post(`/api/admin/vehicles/${mine.id}/approve`)).status, 204)
  assert.deepEqual(await counts(), [2, 1, 1, 0])
  await admin.post(`/api/admin/vehicles/${mine.id}/reject`, { reason: 'It is another car.' })
  assert.deepEqual(await counts(), [1, 0, 1, 0])
})

test('admin: lists all vehicles with owner email, by plate text, owner email text, province and status', async () => {
  const found = async (query: string) =>
    (await list(admin, `/api/admin/vehicles${query}`)).map((vehicle) => [vehicle.plate, vehicle.owner_email])
  const [one, two] = [
    ['ROLES1', owner.email],
    ['ROLES2', sender.email],
  ]
  assert.deepEqual(await found(''), [two, one])
  assert.deepEqual(await found('?plate=es1'), [one])
  assert.deepEqual(await found(`?email=${sender.email.slice(0, -4)}`), [two])
  assert.deepEqual(await found('?province=Quebec'), [two])
  for (const [status, plates] of [
    ['active', [two]],
    ['rejected', [one]],
    ['pending_verification', []],
    ['verified', []],
  ] as const) {
    assert.deepEqual(await found(`?status=${status}`), plates)
  }
})

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
})
