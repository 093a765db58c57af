import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { GoTrueAdminApi, type Provider } from '@supabase/auth-js'
import { PASSWORD, SERVICE_ROLE_KEY, testApp } from '../../../test/app.ts'
import { authFailure, createAuthClient } from '../../../test/auth-client.ts'

// Methods of auth-js this server does not serve: each fails immediately as an API error, and changes nothing.

const app = await testApp({ settings: { SERVICE_ROLE_KEY } })
after(() => app.close())

type Auth = ReturnType<typeof createAuthClient>['auth']
const provider: Provider = 'google'

const NOT_FOUND = [404, 'not_found'] as const
const NO_GRANT = [400, 'invalid_credentials'] as const

const METHODS = {
  reauthenticate: [(auth) => auth.reauthenticate(), ...NOT_FOUND],
  signInWithIdToken: [(auth) => auth.signInWithIdToken({ provider, token: 'x' }), ...NO_GRANT],
  signInWithSSO: [(auth) => auth.signInWithSSO({ domain: 'example.com' }), ...NOT_FOUND],
  signInWithWeb3: [
    (auth) => auth.signInWithWeb3({ chain: 'solana', message: 'x', signature: new Uint8Array(64) }),
    ...NO_GRANT,
  ],
  linkIdentity: [(auth) => auth.linkIdentity({ provider }), ...NOT_FOUND],
  'linkIdentity with a token': [(auth) => auth.linkIdentity({ provider, token: 'x' }), ...NO_GRANT],
  unlinkIdentity: [
    async (auth) => {
      const { data } = await auth.getUserIdentities()
      return auth.unlinkIdentity(data?.identities[0] ?? assert.fail('there is one'))
    },
    ...NOT_FOUND,
  ],
  'oauth.getAuthorizationDetails': [(auth) => auth.oauth.getAuthorizationDetails('x'), ...NOT_FOUND],
  'oauth.approveAuthorization': [(auth) => auth.oauth.approveAuthorization('x'), ...NOT_FOUND],
  'oauth.listGrants': [(auth) => auth.oauth.listGrants(), ...NOT_FOUND],
} satisfies Record<string, readonly [call: (auth: Auth) => Promise<{ error: unknown }>, number, string]>

for (const [name, [call, status, code]] of Object.entries(METHODS)) {
  test(`${name} is not served, and leaves the person signed in`, async () => {
    const person = await app.user()
    const { auth } = createAuthClient(app.url)
    await auth.signInWithPassword({ email: person.email, password: PASSWORD })
    const { data: before } = await auth.getUser()
    assert.deepEqual(authFailure(await call(auth)), { name: 'AuthApiError', status, code })
    assert.deepEqual((await auth.getUser()).data, before)
  })
}

test('signInWithOAuth leads to a path that is not served', async () => {
  const { data } = await createAuthClient(app.url).auth.signInWithOAuth({ provider })
  const { status, headers } = await fetch(data.url ?? assert.fail('the client makes an address'))
  assert.deepEqual([status, headers.get('x-sb-error-code')], [404, 'not_found'])
})

const admin = new GoTrueAdminApi({
  url: `${app.url}/auth/v1`,
  headers: { Authorization: `Bearer ${SERVICE_ROLE_KEY}` },
})
const email = 'invited@example.com'

const ADMIN_METHODS = {
  listUsers: [() => admin.listUsers(), ...NOT_FOUND],
  createUser: [() => admin.createUser({ email, password: PASSWORD }), ...NOT_FOUND],
  inviteUserByEmail: [() => admin.inviteUserByEmail(email), ...NOT_FOUND],
  generateLink: [() => admin.generateLink({ type: 'magiclink', email }), ...NOT_FOUND],
  updateUserById: [() => admin.updateUserById(randomUUID(), { email }), 405, 'method_not_allowed'],
  'mfa.listFactors': [() => admin.mfa.listFactors({ userId: randomUUID() }), ...NOT_FOUND],
} satisfies Record<string, readonly [call: () => Promise<{ error: unknown }>, number, string]>

for (const [name, [call, status, code]] of Object.entries(ADMIN_METHODS)) {
  test(`admin.${name} is not served, not even with the service key`, async () => {
    assert.deepEqual(authFailure(await call()), { name: 'AuthApiError', status, code })
    const [made] = await app.db`select 1 from auth.users where email = ${email}`
    assert.equal(made, undefined)
  })
}
