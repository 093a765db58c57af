import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { TERMS_VERSION } from '#contract/terms.ts'
import { type Caller, newEmail, PASSWORD, testApp } from '../test/app.ts'
import { openLink, postLink, waitForMailedLink } from '../test/auth-links.ts'
import { CIVIC } from '../test/disputes.ts'
import { fieldsOf } from '../test/fields.ts'

// Who agreed to which version of the terms, when and in which language (decision terms-consent).

const app = await testApp()
const confirming = await testApp({ sibling: app, settings: { AUTH_AUTOCONFIRM: 'false' } })

const AGREED = { terms_version: TERMS_VERSION, age_ok: true }
const STRANGERS = 'Attackers-own-1'

const consentOf = async (who: Caller) => (await who.get('/api/consent')).body
const agree = (who: Caller, body: object = { version: TERMS_VERSION, age_ok: true }, language = 'en') =>
  who.post('/api/consent', body, { 'accept-language': language })
const isRecent = (iso: string) => Math.abs(Date.parse(iso) - Date.now()) < 600_000

/** Signs somebody up whose address confirms itself, and returns them with the response. */
async function signUp(data: object, language = 'en') {
  const credentials = { email: newEmail(), password: PASSWORD }
  const response = await app.visitor.post('/auth/v1/signup', { ...credentials, data }, { 'accept-language': language })
  assert.equal(response.status, 200, response.text)
  return { response, person: app.withToken(response.body.access_token) }
}

describe('a sign-up', () => {
  test('with the version and the age statement is a consent in the language of the page', async () => {
    for (const [data, language, expected] of [
      [{}, 'fr-CA', 'fr-CA'],
      [{ locale: 'fr-CA' }, 'en', 'fr-CA'],
      [{}, 'en', 'en'],
    ] as const) {
      const { person } = await signUp({ ...AGREED, ...data }, language)
      const { current_version, given } = await consentOf(person)
      assert.deepEqual([current_version, given.version, given.locale], [TERMS_VERSION, TERMS_VERSION, expected])
      assert.ok(isRecent(given.at))
    }
  })

  test('keeps neither in the metadata, which everything else stays in', async () => {
    const { response, person } = await signUp({ ...AGREED, full_name: 'Kim Roy', colour: 'red' })
    const { user_metadata } = response.body.user
    assert.deepEqual([user_metadata.full_name, user_metadata.colour], ['Kim Roy', 'red'])
    assert.doesNotMatch(response.text, /terms_version|age_ok/)
    const changed = await person.put('/auth/v1/user', { data: { ...AGREED, colour: 'blue' } })
    assert.equal(changed.body.user_metadata.colour, 'blue')
    assert.doesNotMatch(changed.text, /terms_version|age_ok/)
  })

  test('without either, or with anything else in them, works as ever, and is no consent', async () => {
    for (const data of [
      {},
      { terms_version: TERMS_VERSION },
      { age_ok: true },
      { ...AGREED, age_ok: 'true' },
      { ...AGREED, age_ok: false },
      { ...AGREED, terms_version: '1999-01-01' },
      { ...AGREED, terms_version: { toString: 1 } },
      { ...AGREED, terms_version: null },
    ]) {
      const { person } = await signUp(data)
      assert.deepEqual(await consentOf(person), { current_version: TERMS_VERSION, given: null }, JSON.stringify(data))
      // no call of the interface is refused for it: other software keeps working
      assert.equal((await person.get('/api/messages')).status, 200)
      assert.equal((await person.post('/register-plate', newCar())).status, 200)
    }
  })
})

let cars = 0
const newCar = () => ({ plate: `CAR${++cars}`, ...CIVIC })

describe('a sign-up that waits for its link', () => {
  const register = async (email: string, password: string, data: object) => {
    const response = await confirming.visitor.post('/auth/v1/signup', { email, password, data })
    assert.equal(response.status, 200, response.text)
    assert.doesNotMatch(response.text, /terms_version|age_ok/)
  }
  const open = async (email: string, minCount = 1) => {
    const { fragment } = await openLink(confirming, await waitForMailedLink(confirming, email, minCount))
    return confirming.withToken(fragment['access_token'] ?? assert.fail('the link opens a session'))
  }
  test('is a consent from the moment of the sign-up once its own browser has confirmed it', async () => {
    const [email, secret] = [newEmail(), randomUUID()]
    await register(email, PASSWORD, { ...AGREED, signup_proof: createHash('sha256').update(secret).digest('hex') })
    await confirming.db`update auth.sign_ups set created_at = now() - interval '5 hours'`
    const session = await open(email)
    assert.equal((await consentOf(session)).given, null)
    assert.equal((await session.post('/auth/v1/signup/password', { secret })).status, 204)
    const { given } = await consentOf(session)
    assert.equal(given.version, TERMS_VERSION)
    assert.ok(Math.abs(Date.parse(given.at) - (Date.now() - 5 * 3_600_000)) < 600_000)
  })

  test('is one when an app posts its link', async () => {
    const email = newEmail()
    await register(email, PASSWORD, AGREED)
    const { body } = await postLink(confirming, await waitForMailedLink(confirming, email))
    assert.equal((await consentOf(confirming.withToken(body.access_token))).given.version, TERMS_VERSION)
  })

  test('of a stranger agrees to nothing for the owner of the mailbox', async () => {
    const email = newEmail()
    await register(email, STRANGERS, AGREED)
    const session = await open(email)
    assert.equal((await session.put('/auth/v1/user', { password: PASSWORD })).status, 200)
    assert.equal((await consentOf(session)).given, null)
  })
})

describe('a person who is asked', () => {
  test('agrees once, in the language they read, is asked again when the terms have changed, and all goes with the account', async () => {
    const person = await app.user()
    assert.equal((await consentOf(person)).given, null)
    const { status, body } = await agree(person, undefined, 'fr-CA')
    assert.deepEqual([status, body.given.version, body.given.locale], [200, TERMS_VERSION, 'fr-CA'])
    const again = await agree(person)
    assert.deepEqual([again.status, again.body.given], [200, body.given])
    await app.db`
      update consents set version = '2020-01-01', given_at = now() - interval '1 year' where user_id = ${person.id}`
    const before = await consentOf(person)
    assert.deepEqual([before.given.version, before.current_version], ['2020-01-01', TERMS_VERSION])
    assert.equal((await agree(person)).body.given.version, TERMS_VERSION)
    const { consents } = (await person.get('/api/export')).body
    assert.deepEqual(fieldsOf(consents, 'version', 'locale', 'age_ok'), [
      [TERMS_VERSION, 'en', true],
      ['2020-01-01', 'fr-CA', true],
    ])
    assert.equal((await person.post('/functions/v1/delete-user', { id: person.id })).status, 200)
    assert.equal((await app.db`select from consents where user_id = ${person.id}`).length, 0)
  })

  test('cannot agree without the age statement, nor to terms that have changed meanwhile', async () => {
    const person = await app.user()
    for (const body of [
      {},
      { version: TERMS_VERSION },
      { version: TERMS_VERSION, age_ok: false },
      { version: TERMS_VERSION, age_ok: 'true' },
      { age_ok: true },
    ]) {
      const refused = await agree(person, body)
      assert.deepEqual([refused.status, refused.body.code], [400, 'invalid_input'], JSON.stringify(body))
    }
    const outdated = await agree(person, { version: '2020-01-01', age_ok: true })
    assert.deepEqual([outdated.status, outdated.body.code], [409, 'terms_changed'])
    assert.equal((await consentOf(person)).given, null)
  })
})
