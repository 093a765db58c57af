import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '../test/app.ts'

const app = await testApp()
after(() => app.close())

const PEOPLE = 24

test('sign-ins and refreshed sessions go on after a migration has added a column, on every connection', async () => {
  const people = await Promise.all(Array.from({ length: PEOPLE }, () => app.user()))
  const refresh = async (refresh_token: string): Promise<string> => {
    const { status, body, text } = await app.visitor.post('/auth/v1/token?grant_type=refresh_token', { refresh_token })
    assert.equal(status, 200, text)
    return body.refresh_token
  }
  const signInAll = async () => {
    for (const { email, password } of people) await app.signIn(email, password)
  }
  // all connections have prepared the statements
  let tokens = await Promise.all(people.map(({ refreshToken }) => refresh(refreshToken)))
  await signInAll()
  assert.equal(app.db.figures().open, app.config.DATABASE_POOL)

  await app.db`alter table auth.users add column added_beside text`
  tokens = await Promise.all(tokens.map(refresh))
  await app.db`alter table auth.users add column added_later text`
  await Promise.all([...tokens.map(refresh), signInAll()])
})
