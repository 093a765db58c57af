import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '../test/app.ts'
import { SEED_PASSWORD, seedDatabase, signInInstructions, USERS } from './fill-database.ts'

const app = await testApp()
await seedDatabase(app.context)

test('every seeded user can sign in and is called by name', async () => {
  const guide = signInInstructions(app.config)
  for (const { email, name } of Object.values(USERS)) {
    assert.ok(guide.includes(email) && guide.includes(SEED_PASSWORD))
    const person = await app.signIn(email, SEED_PASSWORD)
    const { body } = await person.get('/auth/v1/user')
    assert.equal(body.user_metadata.full_name, name)
  }
  assert.ok(guide.includes('http://platenote.test/login') && guide.includes('http://platenote.test/fr/login'))
})

test('seeding refuses a database with users in it and changes nothing', async () => {
  const count = async () => (await app.db`select count(*)::int as n from messages`)[0]?.['n']
  const [people, messages] = [await app.db`select id from auth.users`, await count()]
  await assert.rejects(seedDatabase(app.context), {
    message: 'There are people in this database; the seed fills only an empty one.',
  })
  assert.equal((await app.db`select id from auth.users`).length, people.length)
  assert.equal(await count(), messages)
})

test('seeding is refused in production', async () => {
  const context = { ...app.context, config: { ...app.config, production: true } }
  await assert.rejects(seedDatabase(context), { message: 'The seed is never for production (NODE_ENV is production).' })
})
