import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allItems, type Person, testApp } from '../test/app.ts'
import { CIVIC } from '../test/disputes.ts'
import { fieldsOf } from '../test/fields.ts'

const app = await testApp()
const limited = await testApp({ sibling: app, settings: { LIMIT_SCALE: '1' } })

const register = (who: Person, plate: string, extra: object = {}) =>
  who.post('/register-plate', { plate, ...CIVIC, ...extra })
/** Creates somebody who registers with the real limits. */
const limitedUser = async () => {
  const { email, password } = await app.user()
  return limited.signIn(email, password)
}

test('a coach, a motorhome and what the catalogue does not list are registered, and no name that every object has', async () => {
  const owner = await app.user()
  for (const [index, [make, model]] of [
    ['Prevost', 'H3-45'],
    ['Leisure Travel Vans', 'Unity'],
    ['Other', 'Other'],
  ].entries()) {
    const { body } = await register(owner, `KIND${index}`, { make, model })
    assert.deepEqual([body.vehicle.make, body.vehicle.model], [make, model])
  }
  for (const make of ['__proto__', 'constructor']) {
    const { status, body } = await register(owner, 'KIND9', { make })
    assert.deepEqual([status, body.fields], [400, { make: 'Please choose a make from the list.' }])
  }
})

test('every registration counts, whatever its answer: each reveals which plates are taken', async () => {
  const [owner, person] = [await limitedUser(), await limitedUser()]
  for (const plate of ['TAKEN1', 'TAKEN2']) await register(owner, plate)
  const answers: string[] = []
  for (const plate of ['TAKEN1', 'OWN1', 'OWN1', ...Array<string>(7).fill('TAKEN2')]) {
    const { body } = await register(person, plate)
    answers.push(body.status ?? body.code)
  }
  const { body, headers } = await register(person, 'OWN2')
  answers.push(body.code)
  const wait = Number(headers.get('retry-after'))
  assert.ok(wait > 0 && wait <= 2 * 24 * 3600, `retry-after is ${wait}`)
  assert.deepEqual(answers, [
    ...['dispute_started', 'registered', 'already_yours'],
    ...Array(7).fill('open_challenge'),
    'too_many_requests',
  ])
})

test('an account can have twenty vehicles, not counting rejected ones', async () => {
  const owner = await limitedUser()
  await app.db`
    insert into vehicles (id, user_id, plate, make, model, registration_year, province, status)
    select gen_random_uuid(), ${owner.id}, 'HELD' || n, 'Honda', 'Civic', 2020, 'Ontario',
      case when n = 20 then 'rejected' else 'active' end
    from generate_series(1, 20) n`
  assert.equal((await register(owner, 'HELD21')).status, 200)
  const { status, body } = await register(owner, 'HELD22')
  assert.deepEqual([status, body.code], [409, 'too_many_vehicles'])
})

test('a person who registers the same plate concurrently gets one vehicle', async () => {
  const owner = await app.user()
  const responses = await Promise.all(Array.from({ length: 8 }, () => register(owner, 'TWICE1')))
  assert.equal(responses.filter(({ status }) => status === 200).length, 1)
  assert.equal(responses.filter(({ body }) => body.code === 'already_yours').length, 7)
  assert.equal((await owner.get('/api/vehicles')).body.items.length, 1)
})

test('the list is newest first and paged without gaps or repeats', async () => {
  const owner = await app.user()
  const ids: string[] = []
  for (let i = 0; i < 5; i++) ids.unshift((await app.vehicle(owner)).id)
  assert.deepEqual(fieldsOf(await allItems(owner, '/api/vehicles?limit=2'), 'id'), ids)
})
