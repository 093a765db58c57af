import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newEmail, type Person, testApp } from '../test/app.ts'
import { assertRefused, waitForMailedLink } from '../test/auth-links.ts'
import { decodeClaims } from '../test/jwt.ts'
import { cleanUpAccounts } from './cleanup.ts'

const app = await testApp()

const refresh = (refresh_token: string) =>
  app.visitor.post('/auth/v1/token?grant_type=refresh_token', { refresh_token })
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
