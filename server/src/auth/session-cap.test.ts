import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { PASSWORD, testApp } from '../test/app.ts'
import { openLink, waitForMailedLink } from '../test/auth-links.ts'

const app = await testApp()
after(() => app.close())

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

test('of a hundred sign-ins, ten at a time, fifty sessions stay', async () => {
  const person = await app.user()
  for (let round = 0; round < 10; round++) {
    await Promise.all(Array.from({ length: 10 }, () => app.signIn(person.email, PASSWORD)))
  }
  assert.equal(await countSessions(person.id), 50)
})

test('a session that is refreshed counts as used, and outlives older sign-ins', async () => {
  const person = await app.user()
  await app.db`update auth.sessions set refreshed_at = now() - interval '1 day' where user_id = ${person.id}`
  await app.db`
    insert into auth.sessions (id, user_id, amr, refreshed_at)
    select gen_random_uuid(), ${person.id}, '[]', now() - interval '1 hour' from generate_series(1, 49)`
  const { body } = await app.visitor.post('/auth/v1/token?grant_type=refresh_token', {
    refresh_token: person.refreshToken,
  })
  await app.signIn(person.email, PASSWORD)
  assert.equal(await countSessions(person.id), 50)
  assert.equal((await app.withToken(body.access_token).get('/auth/v1/user')).status, 200)
})

test('a link that was only opened ends no session; once its session is used it is one of the fifty', async () => {
  const person = await app.user()
  await app.db`
    insert into auth.sessions (id, user_id, amr, refreshed_at)
    select gen_random_uuid(), ${person.id}, '[]', now() - interval '1 hour' from generate_series(1, 48)`
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
