import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newEmail, type Person, type TestResponse, testApp } from '../test/app.ts'
import { assertRefused } from '../test/auth-links.ts'
import { ageSessions, signInWithCode } from '../test/sessions.ts'
import { HOUR_S } from '../time.ts'

// What an unlocked phone must not give away for good: who signed in a while ago has to show again that it is them, by password
// or by what is mailed to them.

const app = await testApp()

const NEXT = 'Another-horse-8'

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
