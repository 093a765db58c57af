import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { newEmail, PASSWORD, type TestResponse, testApp } from '../../../test/app.ts'
import { waitForMailedLink } from '../../../test/auth-links.ts'
import { decodeClaims } from '../../../test/jwt.ts'
import { grantAdmin, revokeAdmin } from '../../admin-role.ts'

// Nobody gets a role, an address or an identity by writing it into a body (auth-protocol §4 no. 4). Forged tokens are in
// ../../session.test.ts.

const app = await testApp()

const ADMIN_ONLY = '/rest/v1/rpc/get_users'
const victim = await app.user()
const untouched = (await victim.get('/auth/v1/user')).body

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
  aal: 'aal2',
  session_id: randomUUID(),
  app_metadata: { role: 'admin', is_admin: true, provider: 'x', has_password: false },
  user_metadata: { is_admin: true },
  encrypted_password: '$argon2id$x',
  constructor: { prototype: { is_admin: true } },
  nested: { deep: [{ is_admin: true, sub: victim.id }] },
  IS_ADMIN: true,
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
    assert.deepEqual((await victim.get('/auth/v1/user')).body, untouched)
  })
}

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
