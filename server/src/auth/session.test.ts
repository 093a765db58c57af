import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { hashSync } from '@node-rs/argon2'
import { FRESH_SESSION_S } from '#contract/profile.ts'
import { newEmail, PASSWORD, type Person, testApp } from '../test/app.ts'
import { assertRefused, openLink, waitForMailedLink } from '../test/auth-links.ts'
import { decodeClaims, decodeHeader, encodeJwtPart } from '../test/jwt.ts'
import { ageSessions } from '../test/sessions.ts'
import { cleanUpAccounts } from './cleanup.ts'
import { HASH_PARAMETERS } from './password.ts'

const app = await testApp()

const refresh = (refresh_token: unknown) =>
  app.visitor.post('/auth/v1/token?grant_type=refresh_token', { refresh_token })
const signIn = (email: unknown, password: unknown) =>
  app.visitor.post('/auth/v1/token?grant_type=password', { email, password })
const getUser = (token: string) => app.withToken(token).get('/auth/v1/user')

type Json = Record<string, unknown>
const secret = app.context.jwtSecrets[0]!
const forge = (header: Json, claims: Json, key = secret) => {
  const signed = `${encodeJwtPart(header)}.${encodeJwtPart(claims)}`
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`
}

// --- signing in

const [COMPOSED, DECOMPOSED] = [' R\u00e9sum\u00e9-7 ', ' Re\u0301sume\u0301-7 ']

test('a password chosen with composed accents is the same with accents and letters apart, and neither trimmed nor without them', async () => {
  const person = await app.user({ password: COMPOSED })
  for (const near of ['Résumé-7', ' Résumé-7', ' Resume-7 ']) {
    assertRefused(await signIn(person.email, near), 400, 'invalid_credentials')
  }
  const again = await app.signIn(person.email, DECOMPOSED)
  await ageSessions(app, person, FRESH_SESSION_S + 60)
  const change = (password: string, current_password: string) =>
    again.put('/auth/v1/user', { password, current_password })
  assertRefused(await change(DECOMPOSED, DECOMPOSED), 422, 'same_password')
  assert.equal((await change(PASSWORD, DECOMPOSED)).status, 200)
})

test('a password hashed with other parameters works and is rehashed', async () => {
  const real = await testApp({ sibling: app, passwordHashing: HASH_PARAMETERS })
  const person = await app.user()
  const old = hashSync(PASSWORD, { memoryCost: 8192, timeCost: 1, parallelism: 1 })
  await app.db`update auth.users set encrypted_password = ${old} where id = ${person.id}`
  await real.signIn(person.email, PASSWORD)
  const [row] = await app.db`select encrypted_password from auth.users where id = ${person.id}`
  assert.match(row!['encrypted_password'], /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  await real.signIn(person.email, PASSWORD)
})

// --- refreshing

test('concurrent refreshes with one token all get the same new token', async () => {
  const { refreshToken } = await app.user()
  const responses = await Promise.all(Array.from({ length: 8 }, () => refresh(refreshToken)))
  assert.deepEqual([...new Set(responses.map((a) => a.status))], [200])
  assert.equal(new Set(responses.map((a) => a.body.refresh_token)).size, 1)
})

/** Makes the reuse interval pass for the used tokens of a session. */
const passReuseInterval = (person: Person) => app.db`
  update auth.refresh_tokens set used_at = used_at - interval '11 seconds'
  where session_id = ${String(decodeClaims(person.token).session_id)} and used_at is not null`

test('the parent of the newest token returns the newest again, however late, as a response may get lost', async () => {
  const person = await app.user()
  const { body } = await refresh(person.refreshToken)
  await app.db`update auth.refresh_tokens set used_at = now() - interval '40 days' where used_at is not null`
  // the tokens of before still work, and say nothing about what has arrived
  assert.equal((await getUser(person.token)).status, 200)
  const again = await refresh(person.refreshToken)
  assert.equal(again.status, 200)
  assert.equal(again.body.refresh_token, body.refresh_token)
})

test('two holders of one refresh token who renew in step are noticed, in either order: the session ends, and no other', async () => {
  for (const first of ['victim', 'thief'] as const) {
    const person = await app.user()
    const elsewhere = await app.signIn(person.email, PASSWORD)
    const tokens = { victim: person.refreshToken, thief: person.refreshToken }
    const second = first === 'victim' ? 'thief' : 'victim'
    const renew = async (who: 'victim' | 'thief') => {
      const { status, body } = await refresh(tokens[who])
      if (status !== 200) return body.error_code as string
      tokens[who] = body.refresh_token
      // once the new access token was used, its response has arrived: the parent then is a copy
      await app.withToken(body.access_token).get('/api/vehicles')
      await passReuseInterval(person)
      return 'renewed'
    }
    assert.deepEqual([await renew(first), await renew(second)], ['renewed', 'refresh_token_already_used'])
    assert.equal(await renew(first), 'refresh_token_not_found')
    assertRefused(await getUser(person.token), 403, 'session_not_found')
    assert.equal((await getUser(elsewhere.token)).status, 200)
    const [mail, ...more] = await app.mails(person.email)
    assert.equal(mail!.subject, 'We signed a device out of your PlateNote account')
    assert.deepEqual(more, [])
  }
})

test('within the reuse interval an older token gets the newest, although that was used, as tabs refresh at once', async () => {
  const { refreshToken } = await app.user()
  const second = (await refresh(refreshToken)).body
  assert.equal((await getUser(second.access_token)).status, 200)
  assert.equal((await refresh(refreshToken)).body.refresh_token, second.refresh_token)
  const third = (await refresh(second.refresh_token)).body.refresh_token
  const { status, body } = await refresh(refreshToken)
  assert.deepEqual([status, body.refresh_token], [200, third])
})

test('after that, an older token is theft too', async () => {
  const person = await app.user()
  const second = (await refresh(person.refreshToken)).body.refresh_token
  const newest = (await refresh(second)).body
  await passReuseInterval(person)
  assertRefused(await refresh(person.refreshToken), 400, 'refresh_token_already_used')
  assertRefused(await getUser(newest.access_token), 403, 'session_not_found')
})

// --- how many there are

const countSessions = async (userId: string) =>
  (await app.db`select from auth.sessions where user_id = ${userId} and link_request_id is null`).length

test('of a thousand sessions fifty stay, those used last', async () => {
  const person = await app.user()
  // as if made before there was a cap
  await app.db`
    insert into auth.sessions (id, user_id, amr, refreshed_at)
    select gen_random_uuid(), ${person.id}, '[]', now() - make_interval(mins => n)
    from generate_series(1, 999) as n`
  const newest = await app.signIn(person.email, PASSWORD)
  assert.equal(await countSessions(person.id), 50)
  const [row] = await app.db`
    select max(now() - refreshed_at) < interval '50 minutes' as recent from auth.sessions where user_id = ${person.id}`
  assert.equal(row!['recent'], true)
  assert.equal((await newest.get('/auth/v1/user')).status, 200)
  assert.equal((await person.get('/auth/v1/user')).status, 200)
})

test('a link that was only opened ends no session; once its session is used it is one of the fifty', async () => {
  const person = await app.user()
  await app.db`
    insert into auth.sessions (id, user_id, amr, refreshed_at)
    select gen_random_uuid(), ${person.id}, '[]', now() - interval '1 hour' from generate_series(1, 49)`
  await app.visitor.post('/auth/v1/recover', { email: person.email })
  const { fragment } = await openLink(app, await waitForMailedLink(app, person.email))
  const ids = async () =>
    (await app.db`select id from auth.sessions where user_id = ${person.id} order by id`).map((row) => row['id'])
  assert.equal((await ids()).length, 51)
  const used = await app.withToken(fragment['access_token']!).put('/auth/v1/user', {})
  assert.equal(used.status, 200)
  assert.equal(await countSessions(person.id), 50)
  assert.equal((await app.withToken(fragment['access_token']!).get('/auth/v1/user')).status, 200)
})

// --- signing out

test('signing out takes effect immediately and everywhere, with an empty response', async () => {
  const person = await app.user()
  const elsewhere = await app.signIn(person.email, PASSWORD)
  const response = await person.post('/auth/v1/logout', '', { 'content-type': 'application/json;charset=UTF-8' })
  assert.deepEqual([response.status, response.text], [204, ''])
  for (const { token } of [person, elsewhere]) assertRefused(await getUser(token), 403, 'session_not_found')
  assert.equal((await person.get('/api/vehicles')).body.code, 'session_ended')
  assertRefused(await refresh(person.refreshToken), 400, 'refresh_token_not_found')
  assertRefused(await person.post('/auth/v1/logout'), 403, 'session_not_found')
})

test('scope local ends this session, scope others all but this one, and an unknown scope none', async () => {
  const person = await app.user()
  const [second, third] = [await app.signIn(person.email, PASSWORD), await app.signIn(person.email, PASSWORD)]
  assertRefused(await second.post('/auth/v1/logout?scope=everything'), 400, 'validation_failed')
  assert.equal((await second.post('/auth/v1/logout?scope=local')).status, 204)
  assertRefused(await getUser(second.token), 403, 'session_not_found')
  assert.equal((await getUser(third.token)).status, 200)
  assert.equal((await third.post('/auth/v1/logout?scope=others')).status, 204)
  assertRefused(await getUser(person.token), 403, 'session_not_found')
  assert.equal((await getUser(third.token)).status, 200)
})

// --- forged and invalid bearer tokens

const now = Math.floor(Date.now() / 1000)

test('a token that somebody forged or edited is refused', async () => {
  const person = await app.user()
  const [header, claims] = [decodeHeader(person.token), decodeClaims(person.token)]
  const [first, payload, signature] = person.token.split('.')
  const other = encodeJwtPart({ ...claims, sub: person.id.replace(/^./, '1') })
  for (const [what, forged] of Object.entries({
    'alg none': `${encodeJwtPart({ ...header, alg: 'none' })}.${payload}.`,
    'another algorithm': forge({ ...header, alg: 'HS512' }, claims),
    'another key': forge(header, claims, 'another secret of 32 characters!!'),
    'no kid': forge({ alg: 'HS256', typ: 'JWT' }, claims),
    'another audience': forge(header, { ...claims, aud: 'somebody' }),
    'no expiry': forge(header, { ...claims, exp: undefined }),
    'no session': forge(header, { ...claims, session_id: undefined }),
    'an edited claim': `${first}.${other}.${signature}`,
    'a fourth part': `${person.token}.x`,
    'a refresh token': person.refreshToken,
  })) {
    assert.equal((await getUser(forged)).body.error_code, 'bad_jwt', what)
    const response = await app.withToken(forged).get('/api/vehicles')
    assert.deepEqual([response.status, response.body.code], [401, 'signed_out'], what)
  }
})

test('an expired token is refused as an ended session', async () => {
  const person = await app.user()
  const expired = forge(decodeHeader(person.token), { ...decodeClaims(person.token), exp: now - 1 })
  assertRefused(await getUser(expired), 403, 'bad_jwt')
  assert.equal((await app.withToken(expired).get('/api/vehicles')).body.code, 'session_ended')
})

test('a token without a subject, with an invalid one, of a deleted user, or with another user’s session is refused', async () => {
  const [person, other] = [await app.user(), await app.user()]
  const changed = (claims: Json) => forge(decodeHeader(person.token), { ...decodeClaims(person.token), ...claims })
  assertRefused(await getUser(changed({ sub: undefined })), 403, 'bad_jwt')
  assertRefused(await getUser(changed({ sub: 'me' })), 400, 'bad_jwt')
  assertRefused(await getUser(changed({ session_id: decodeClaims(other.token).session_id })), 403, 'session_not_found')
  assert.equal(
    (await app.withToken(changed({ session_id: decodeClaims(other.token).session_id })).get('/api/vehicles')).body.code,
    'session_ended',
  )
  await app.db`delete from auth.users where id = ${person.id}`
  assertRefused(await getUser(person.token), 403, 'user_not_found')
  assert.equal((await person.get('/api/vehicles')).body.code, 'session_ended')
})

const getSessionId = ({ token }: Person): string => decodeClaims(token).session_id
const countTokens = async (person: Person) =>
  (await app.db`select from auth.refresh_tokens where session_id = ${getSessionId(person)}`).length

/** Refreshes so many times, more than a day ago; returns all tokens of the session, the newest last. */
async function refreshLongAgo(person: Person, count: number): Promise<string[]> {
  const tokens = [person.refreshToken]
  for (let i = 0; i < count; i++) tokens.push((await refresh(tokens.at(-1)!)).body.refresh_token)
  await app.db`
    update auth.refresh_tokens set used_at = used_at - interval '25 hours'
    where session_id = ${getSessionId(person)} and used_at is not null`
  return tokens
}

test('a session that was not refreshed for 90 days has expired, also before the cleanup', async () => {
  const person = await app.user()
  await app.db`update auth.sessions set refreshed_at = now() - interval '91 days' where user_id = ${person.id}`
  assertRefused(await refresh(person.refreshToken), 400, 'session_expired')
})

test('a session that is refreshed for years stores few tokens and continues to work; those of the last day stay', async () => {
  const person = await app.user()
  const tokens = await refreshLongAgo(person, 12)
  for (let i = 0; i < 3; i++) tokens.push((await refresh(tokens.at(-1)!)).body.refresh_token)
  assert.equal(await countTokens(person), 16)
  await cleanUpAccounts(app.db, app.context.keyring)
  assert.equal(await countTokens(person), 4)
  await app.db`update auth.refresh_tokens set used_at = used_at - interval '25 hours' where used_at is not null`
  await cleanUpAccounts(app.db, app.context.keyring)
  assert.equal(await countTokens(person), 2)
  // the response to the last refresh was lost, however long ago
  const again = await refresh(tokens.at(-2)!)
  assert.equal(again.body.refresh_token, tokens.at(-1))
  assert.equal((await refresh(tokens.at(-1)!)).status, 200)
})

test('a token the cleanup deleted is still recognized as stolen: the session ends for everybody', async () => {
  const person = await app.user()
  const elsewhere = await app.signIn(person.email, person.password)
  const tokens = await refreshLongAgo(person, 40)
  await cleanUpAccounts(app.db, app.context.keyring)
  assert.equal(await countTokens(person), 2)
  assertRefused(await refresh(tokens[0]!), 400, 'refresh_token_already_used')
  assertRefused(await refresh(tokens.at(-1)!), 400, 'refresh_token_not_found')
  assertRefused(await person.get('/auth/v1/user'), 403, 'session_not_found')
  assert.equal((await elsewhere.get('/auth/v1/user')).status, 200)
})

test('of several sign-ups that wait, those of more than a week ago are deleted, but never the newest', async () => {
  const [row] =
    await app.db`insert into auth.users (id, email, person_hash) values (gen_random_uuid(), ${newEmail()}, '') returning id`
  const daysOfSignUps = async () =>
    (
      await app.db`
        select extract(day from now() - created_at)::int as days from auth.sign_ups where user_id = ${row!['id']} order by 1`
    ).map(({ days }) => days)
  await app.db`
    insert into auth.sign_ups (id, user_id, encrypted_password, created_at)
    select gen_random_uuid(), ${row!['id']}, 'hash', now() - make_interval(days => days) from unnest(array[8, 9, 20]) as days`
  await cleanUpAccounts(app.db, app.context.keyring)
  assert.deepEqual(await daysOfSignUps(), [8])
})

test('a link goes two weeks after it was asked for, whether or not its email ever left', async () => {
  const { id, email } = await app.user()
  await app.visitor.post('/auth/v1/recover', { email })
  await waitForMailedLink(app, email)
  const countLinks = async () => (await app.db`select from auth.link_requests where user_id = ${id}`).length
  await cleanUpAccounts(app.db, app.context.keyring)
  assert.equal(await countLinks(), 1)
  await app.db`update auth.link_requests set created_at = now() - interval '15 days'`
  await cleanUpAccounts(app.db, app.context.keyring)
  assert.equal(await countLinks(), 0)
})
