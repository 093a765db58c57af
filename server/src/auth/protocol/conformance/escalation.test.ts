import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { newEmail, PASSWORD, type TestResponse, testApp } from '../../../test/app.ts'
import { waitForMailedLink } from '../../../test/auth-links.ts'
import { decodeClaims } from '../../../test/jwt.ts'
import { grantAdmin, revokeAdmin } from '../../admin-role.ts'

// Nobody gets a role, an address or an identity by writing it into a body (auth-protocol §4 no. 4). The simple cases
// of sign-up and PUT /user are in ../sign-up.test.ts and ../user.test.ts, forged tokens in ../session.test.ts.

const app = await testApp()
after(() => app.close())

const ADMIN_ONLY = '/rest/v1/rpc/get_users'
const victim = await app.user()

/** What somebody might claim to be. `is_admin` and the like are set by the server alone in the metadata. */
const FORGED_FIELDS: Record<string, unknown> = {
  is_admin: true,
  role: 'service_role',
  aud: 'admin',
  id: victim.id,
  sub: victim.id,
  email: victim.email,
  email_verified: false,
  phone_verified: true,
  email_confirmed_at: '2020-01-01T00:00:00Z',
  confirmed_at: '2020-01-01T00:00:00Z',
  is_anonymous: true,
  aal: 'aal2',
  session_id: randomUUID(),
  providers: ['admin'],
  app_metadata: { role: 'admin', is_admin: true, provider: 'x', has_password: false },
  user_metadata: { is_admin: true },
  raw_user_meta_data: { is_admin: true },
  raw_app_meta_data: { is_admin: true },
  encrypted_password: '$argon2id$x',
  constructor: { prototype: { is_admin: true } },
  prototype: { is_admin: true },
  has_password: false,
  nested: { deep: [{ is_admin: true, sub: victim.id }] },
  IS_ADMIN: true,
  'is_admin ': true,
}

/** Asserts that a session, new and refreshed, is an ordinary person's own. */
async function assertOrdinary(session: TestResponse, email: string) {
  assert.equal(session.status, 200, session.text)
  const { refresh_token } = session.body
  const refreshed = await app.visitor.post('/auth/v1/token?grant_type=refresh_token', { refresh_token })
  for (const { access_token, user } of [session.body, refreshed.body]) {
    const claims = decodeClaims(access_token)
    for (const shown of [user, { ...claims, id: claims.sub }]) {
      assert.deepEqual([shown.role, shown.aud, shown.is_anonymous], ['authenticated', 'authenticated', false])
      assert.deepEqual([shown.id === victim.id, shown.email], [false, email])
      const provider = { provider: 'email', providers: ['email'] }
      assert.deepEqual(shown.app_metadata, { ...provider, has_password: true, locale: 'en' })
      const { is_admin, sub, email: mirrored, email_verified, phone_verified } = shown.user_metadata
      assert.deepEqual([is_admin, sub, mirrored], [undefined, shown.id, email])
      assert.deepEqual([email_verified, phone_verified], [true, false])
    }
    assert.deepEqual([claims.aal, claims.session_id === FORGED_FIELDS['session_id']], ['aal1', false])
    const refused = await app.withToken(access_token).post(ADMIN_ONLY, {})
    assert.deepEqual([refused.status, refused.body.code], [403, 'forbidden'])
    assert.equal((await app.withToken(access_token).get(`/auth/v1/admin/users/${user.id}`)).status, 403)
  }
  const [row] = await app.db`select is_admin from auth.users where email = ${email}`
  assert.deepEqual({ ...row }, { is_admin: false })
}

const { email: _, app_metadata: __, ...claimed } = FORGED_FIELDS
for (const [where, forged] of [
  ['a person’s data', { data: FORGED_FIELDS }],
  ['the fields of a body', claimed],
] as const) {
  test(`nothing in ${where} grants anything: sign-up, change, link, sign-in`, async () => {
    const email = newEmail()
    const credentials = { ...forged, email, password: PASSWORD }
    await assertOrdinary(await app.visitor.post('/auth/v1/signup', credentials), email)
    const person = await app.signIn(email, PASSWORD)
    assert.equal((await person.put('/auth/v1/user', forged)).status, 200)
    assert.equal((await app.visitor.post('/auth/v1/otp', { ...forged, email, create_user: false })).status, 200)
    const token_hash = (await waitForMailedLink(app, email)).searchParams.get('token')
    const link = { ...forged, email: null, type: 'email', token_hash }
    await assertOrdinary(await app.visitor.post('/auth/v1/verify', link), email)
    await assertOrdinary(await app.visitor.post('/auth/v1/token?grant_type=password', credentials), email)
  })
}

test('data sent with a request for a sign-in link changes nothing', async () => {
  const person = await app.user({ full_name: 'Own name' })
  const before = (await person.get('/auth/v1/user')).body.user_metadata
  const data = { full_name: 'Somebody else’s', theme: 'x' }
  await app.visitor.post('/auth/v1/otp', { email: person.email, create_user: false, data })
  await waitForMailedLink(app, person.email)
  assert.deepEqual((await person.get('/auth/v1/user')).body.user_metadata, before)
})

test('a person’s data never changes another account, whatever ids it contains', async () => {
  const before = (await victim.get('/auth/v1/user')).body
  const person = await app.user()
  const ids = { id: victim.id, sub: victim.id, user_id: victim.id, email: victim.email }
  await person.put('/auth/v1/user', { id: victim.id, user_id: victim.id, data: { ...ids, full_name: 'Taken over' } })
  assert.deepEqual((await victim.get('/auth/v1/user')).body, before)
})

test('the admin role is looked up with every request, and storing it in the metadata while it is shown keeps it for nobody', async () => {
  const [admin, other] = [await app.user(), await app.user()]
  await grantAdmin(app.db, other.email)
  assert.equal((await admin.post(ADMIN_ONLY, {})).status, 403)
  await grantAdmin(app.db, admin.email)
  assert.equal((await admin.post(ADMIN_ONLY, {})).status, 200)
  const refresh = async (refresh_token: string) => {
    const { body } = await app.visitor.post('/auth/v1/token?grant_type=refresh_token', { refresh_token })
    return { ...body, shown: decodeClaims(body.access_token).user_metadata }
  }
  const renewed = await refresh(admin.refreshToken)
  assert.equal(renewed.shown.is_admin, true)
  assert.equal((await admin.put('/auth/v1/user', { data: renewed.shown })).status, 200)

  assert.equal(await revokeAdmin(app.db, admin.email), 'revoked')
  for (const token of [admin.token, renewed.access_token]) {
    assert.equal((await app.withToken(token).post(ADMIN_ONLY, {})).status, 403)
  }
  assert.equal('is_admin' in (await refresh(renewed.refresh_token)).shown, false)
  assert.equal('is_admin' in (await admin.get('/auth/v1/user')).body.user_metadata, false)
})
