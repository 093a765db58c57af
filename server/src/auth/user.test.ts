import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FRESH_SESSION_S } from '#contract/profile.ts'
import { newEmail, PASSWORD, type Person, type TestResponse, testApp } from '../test/app.ts'
import { assertRefused, openLink, waitForMailedLink } from '../test/auth-links.ts'
import { ageSessions, signInWithCode } from '../test/sessions.ts'
import { HOUR_S } from '../time.ts'
import { grantAdmin, revokeAdmin } from './admin-role.ts'

const app = await testApp()

const NEXT = 'Another-horse-8'
const signIn = (email: string, password: string) =>
  app.visitor.post('/auth/v1/token?grant_type=password', { email, password })

test('data is merged key by key, null deletes a key, and the next session shows it', async () => {
  const person = await app.user({ full_name: 'Before' })
  await person.put('/auth/v1/user', { data: { theme: { dark: true }, count: 2 } })
  const { status, body } = await person.put('/auth/v1/user', { data: { full_name: 'After', count: null } })
  assert.equal(status, 200)
  assert.equal(body.user_metadata.full_name, 'After')
  assert.deepEqual(body.user_metadata.theme, { dark: true })
  assert.equal('count' in body.user_metadata, false)
  const again = await app.signIn(person.email, PASSWORD)
  assert.equal((await again.get('/auth/v1/user')).body.user_metadata.full_name, 'After')
})

test('concurrent changes of different keys are all kept, and data that merging makes too large is refused', async () => {
  const person = await app.user()
  const set = (data: object) => person.put('/auth/v1/user', { data })
  await Promise.all([1, 2, 3, 4, 5].map((n) => set({ [`key${n}`]: n })))
  const { key1, key2, key3, key4, key5 } = (await person.get('/auth/v1/user')).body.user_metadata
  assert.deepEqual([key1, key2, key3, key4, key5], [1, 2, 3, 4, 5])
  assert.equal((await set({ a: 'x'.repeat(3000) })).status, 200)
  assertRefused(await set({ b: 'x'.repeat(3000) }), 400, 'validation_failed')
})

test('two admins cannot revoke each other at the same moment', async () => {
  const [one, other] = [await app.user(), await app.user()]
  for (const { email } of [one, other]) await grantAdmin(app.db, email)
  const outcomes = await Promise.all([one, other].map(({ email }) => revokeAdmin(app.db, email)))
  assert.deepEqual(outcomes.sort(), ['last_admin', 'revoked'])
})

test('a new password needs the current one unless somebody signed in within 15 minutes; one that is given has to be right', async () => {
  const person = await app.user()
  await ageSessions(app, person, FRESH_SESSION_S - 30)
  const change = (password: string, current_password?: string) =>
    person.put('/auth/v1/user', { password, current_password })
  assertRefused(await change(NEXT, 'Wrong-horse-7'), 400, 'current_password_invalid')
  assertRefused(await change(PASSWORD), 422, 'same_password')
  assert.equal((await change(NEXT)).status, 200)
  assertRefused(await signIn(person.email, PASSWORD), 400, 'invalid_credentials')

  await ageSessions(app, person, FRESH_SESSION_S + 5)
  // refreshing a session does not make it a fresh one
  const refresh = { refresh_token: person.refreshToken }
  const refreshed = await app.visitor.post('/auth/v1/token?grant_type=refresh_token', refresh)
  const renewed = app.withToken(refreshed.body.access_token)
  assertRefused(await renewed.put('/auth/v1/user', { password: PASSWORD }), 400, 'current_password_required')
  assertRefused(await change(PASSWORD, 'Wrong-horse-7'), 400, 'current_password_invalid')
  const elsewhere = await app.signIn(person.email, NEXT)
  const changed = await change('Third-horse-9', NEXT)
  assert.equal(changed.status, 200)
  assert.equal(changed.text.includes('argon2'), false)
  assert.equal((await person.get('/auth/v1/user')).status, 200)
  assertRefused(await elsewhere.get('/auth/v1/user'), 403, 'session_not_found')
  await app.signIn(person.email, 'Third-horse-9')
})

test('a change sends an email in the language of the person: what happened, when, and what to do', async () => {
  for (const [locale, subject, when, page] of [
    ['en', 'Your PlateNote account has a new password', / on \w+day, \w+ \d{1,2}, \d{4} at /, '/account-link#do=undo'],
    [
      'fr-CA',
      'Votre compte PlateNote a un nouveau mot de passe',
      / le \p{L}+ (1er|\d{1,2}) \p{L}+ \d{4} à /u,
      '/fr/account-link#do=undo',
    ],
  ] as const) {
    const person = await app.user({ locale })
    assertRefused(
      await person.put('/auth/v1/user', { password: NEXT, current_password: 'x' }),
      400,
      'current_password_invalid',
    )
    assert.equal((await person.put('/auth/v1/user', { data: { full_name: 'New' } })).status, 200)
    assert.equal((await person.put('/auth/v1/user', { password: NEXT, current_password: PASSWORD })).status, 200)
    const [mail, ...more] = await app.mails(person.email)
    assert.deepEqual([mail!.subject, more.length], [subject, 0])
    assert.match(mail!.text, when)
    assert.ok(mail!.text.includes(`http://platenote.test${page}`))
  }
})

test('a first password set by a recovery link is announced too', async () => {
  const person = await app.user()
  await app.db`update auth.users set encrypted_password = null where id = ${person.id}`
  await app.visitor.post('/auth/v1/recover', { email: person.email })
  const { fragment } = await openLink(app, await waitForMailedLink(app, person.email))
  const session = app.withToken(fragment['access_token'] ?? '')
  assert.equal((await session.put('/auth/v1/user', { password: NEXT })).status, 200)
  const [mail] = await app.mails(person.email, 2)
  assert.equal(mail!.subject, 'Your PlateNote account has a new password')
})

// What an unlocked phone must not give away for good: who signed in a while ago has to show again that it is them, by password
// or by what is mailed to them.

/** Everything that needs a session begun a short while ago, in an order in which all of it can be done. */
const FRESH_ONLY: Record<string, { attempt: (who: Person) => Promise<TestResponse>; refusal: string }> = {
  'the export': { attempt: (who) => who.get('/api/export'), refusal: 'sign_in_again' },
  'another address': {
    attempt: (who) => who.post('/api/email-change', { email: newEmail() }),
    refusal: 'sign_in_again',
  },
  'a second factor': {
    attempt: (who) => who.post('/auth/v1/factors', { factor_type: 'totp', friendly_name: 'Phone' }),
    refusal: 'reauthentication_needed',
  },
  'a password': {
    attempt: (who) => who.put('/auth/v1/user', { password: NEXT }),
    refusal: 'reauthentication_needed',
  },
  deletion: {
    attempt: (who) => who.post('/functions/v1/delete-user', { id: who.id }),
    refusal: 'sign_in_again',
  },
}
const refusalOf = ({ status, body }: TestResponse) => (status < 300 ? 'accepted' : (body.error_code ?? body.code))

for (const has of [false, true]) {
  test(`an old session is refused, and one begun by a code accepted, ${has ? 'with' : 'without'} a password`, async () => {
    const old = has ? await app.user() : await signInWithCode(app, newEmail())
    await ageSessions(app, old, HOUR_S + 5)
    const fresh = await signInWithCode(app, old.email)
    for (const [name, { attempt, refusal }] of Object.entries(FRESH_ONLY)) {
      const expected = name === 'a password' && has ? 'current_password_required' : refusal
      assert.equal(refusalOf(await attempt(old)), expected, name)
    }
    for (const [name, { attempt }] of Object.entries(FRESH_ONLY))
      assert.equal(refusalOf(await attempt(fresh)), 'accepted', name)
  })
}

test('a first password is set within an hour of a code, once, and ends every other session', async () => {
  const elsewhere = await signInWithCode(app, newEmail())
  const person = await signInWithCode(app, elsewhere.email)
  const hasPassword = async () => (await person.get('/auth/v1/user')).body.app_metadata.has_password
  assert.equal(await hasPassword(), false)
  await ageSessions(app, person, HOUR_S + 5)
  const guess = { password: NEXT, current_password: 'Guessed-horse-9' }
  assertRefused(await person.put('/auth/v1/user', guess), 400, 'reauthentication_needed')
  await ageSessions(app, person, HOUR_S - 30)
  const { status, body } = await person.put('/auth/v1/user', { password: NEXT })
  assert.deepEqual([status, body.app_metadata.has_password], [200, true])
  assertRefused(await elsewhere.get('/auth/v1/user'), 403, 'session_not_found')
  await app.signIn(person.email, NEXT)
})
