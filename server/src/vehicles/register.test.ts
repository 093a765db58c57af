import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Person, testApp } from '../test/app.ts'

const app = await testApp()
const limited = await testApp({ settings: { LIMIT_SCALE: '1' } })
after(() => Promise.all([app.close(), limited.close()]))

const CIVIC = { make: 'Honda', model: 'Civic', registration_year: 2020, province: 'Ontario' }
const register = (who: Person, plate: string, extra: object = {}, headers?: Record<string, string>) =>
  who.post('/register-plate', { plate, ...CIVIC, ...extra }, headers)
const IN_FRENCH = { 'accept-language': 'fr-CA,fr;q=0.9,en;q=0.5' }

test('a free plate is registered immediately, as it is written on the vehicle', async () => {
  const owner = await app.user()
  const { status, body } = await register(owner, ' free-1 ')
  assert.equal(status, 200)
  const { id, created_at, ...vehicle } = body.vehicle
  assert.equal(body.status, 'registered')
  assert.deepEqual(vehicle, {
    ...CIVIC,
    plate: 'FREE-1',
    status: 'active',
    paused: false,
    dispute: null,
    rejected_automatically: false,
    reject_reason: null,
    role: 'owner',
    shared: false,
  })
  assert.match(id, /^[0-9a-f-]{36}$/)
  assert.ok(Math.abs(Date.parse(created_at) - Date.now()) < 60_000)
  assert.deepEqual((await owner.get('/api/vehicles')).body.items, [body.vehicle])
})

test('a coach, a motorhome and what the catalogue does not list are registered', async () => {
  const owner = await app.user()
  const vehicles = [
    { make: 'Prevost', model: 'H3-45' },
    { make: 'Leisure Travel Vans', model: 'Unity' },
    { make: 'Prevost', model: 'Other' },
    { make: 'Other', model: 'Other' },
  ]
  for (const [index, vehicle] of vehicles.entries()) {
    const { status, body } = await register(owner, `KIND${index}`, vehicle)
    assert.equal(status, 200)
    assert.deepEqual({ make: body.vehicle.make, model: body.vehicle.model }, vehicle)
  }
})

test('the same plate in another province is another plate', async () => {
  const [one, other] = [await app.user(), await app.user()]
  assert.equal((await register(one, 'PROV1')).body.status, 'registered')
  assert.equal((await register(other, 'PROV1', { province: 'Quebec' })).body.status, 'registered')
})

test('a person cannot register the same plate twice, however it is written', async () => {
  const owner = await app.user()
  await register(owner, 'MINE123')
  for (const plate of ['MINE123', 'mine-123', 'ＭＩＮＥ 123']) {
    const { status, body } = await register(owner, plate)
    assert.equal(status, 409)
    assert.deepEqual(body, { error: 'You’ve already registered this plate.', code: 'already_yours' })
  }
  const french = await register(owner, 'MINE123', {}, IN_FRENCH)
  assert.equal(french.body.error, 'Vous avez déjà enregistré cette plaque.')
})

test('a rejected registration may be repeated', async () => {
  const owner = await app.user()
  await app.vehicle(owner, { plate: 'AGAIN1', status: 'rejected' })
  assert.equal((await register(owner, 'AGAIN1')).body.status, 'registered')
})

test('one’s own id may be sent along, but nobody can register for somebody else', async () => {
  const [owner, other] = [await app.user(), await app.user()]
  assert.equal((await register(owner, 'NAMED1', { user_id: owner.id, email: other.email })).status, 200)
  for (const user_id of [other.id, '', 'x']) {
    const { status, body } = await register(owner, 'NAMED2', { user_id })
    assert.equal(status, 403)
    assert.deepEqual(body, { error: 'You’re not allowed to do this.', code: 'forbidden' })
  }
  const french = await register(owner, 'NAMED2', { user_id: other.id }, IN_FRENCH)
  assert.equal(french.body.error, 'Vous n’avez pas l’autorisation nécessaire.')
  assert.equal((await other.get('/api/vehicles')).body.items.length, 0)
})

test('registering requires a confirmed email address; the list of vehicles does not', async () => {
  const owner = await app.user()
  await app.db`update auth.users set email_confirmed_at = null where id = ${owner.id}`
  const { status, body } = await register(owner, 'UNCONF1')
  assert.equal(status, 403)
  assert.deepEqual(body, { error: 'Please confirm your email address first.', code: 'email_not_confirmed' })
  const french = await register(owner, 'UNCONF1', {}, IN_FRENCH)
  assert.equal(french.body.error, 'Veuillez d’abord confirmer votre adresse courriel.')
  assert.equal((await owner.get('/api/vehicles')).status, 200)
})

const thisYear = new Date().getFullYear()
const malformed: [what: string, change: object, field: string, text: string][] = [
  ['no plate', { plate: undefined }, 'plate', '1 to 8 characters, no spaces'],
  ['a plate with a wildcard', { plate: 'AB%' }, 'plate', '1 to 8 characters, no spaces. “%” cannot be on a plate.'],
  ['a plate that is a number', { plate: 1234 }, 'plate', 'Must be text.'],
  ['a plate with a NUL', { plate: 'AB\0C' }, 'plate', '1 to 8 characters, no spaces. “U+0000” cannot be on a plate.'],
  ['no make', { make: undefined }, 'make', 'Required'],
  ['a blank make', { make: '  ' }, 'make', 'Required'],
  ['an unknown make', { make: 'Batmobile' }, 'make', 'Please choose a make from the list.'],
  ['a make every object has', { make: '__proto__' }, 'make', 'Please choose a make from the list.'],
  ['a make that is a method', { make: 'constructor' }, 'make', 'Please choose a make from the list.'],
  ['no model', { model: undefined }, 'model', 'Required'],
  ['a model of another make', { model: 'Corolla' }, 'model', 'Please choose a model of this make from the list.'],
  ['no year', { registration_year: undefined }, 'registration_year', 'Required'],
  ['a year in letters', { registration_year: '2020' }, 'registration_year', 'Must be a number.'],
  ['half a year', { registration_year: 2020.5 }, 'registration_year', 'Please choose a year from the list.'],
  ['a year before 1980', { registration_year: 1979 }, 'registration_year', 'Please choose a year from the list.'],
  ['next year', { registration_year: thisYear + 1 }, 'registration_year', 'The year is in the future.'],
  ['no province', { province: undefined }, 'province', 'Please choose a province.'],
  ['a province in French', { province: 'Québec' }, 'province', 'Please choose a province.'],
  ['a state', { province: 'Ohio' }, 'province', 'Please choose a province.'],
]

const careless = await app.user()

for (const [what, change, field, text] of malformed) {
  test(`refused: ${what}`, async () => {
    const { status, body } = await register(careless, 'FIELD1', change)
    assert.equal(status, 400)
    assert.deepEqual(body, {
      error: 'Please check what you entered.',
      code: 'invalid_input',
      fields: { [field]: text },
    })
  })
}

for (const body of ['', '{', '[]', 'null', '"x"', '{"plate":']) {
  test(`refused: the body ${body || '(empty)'}`, async () => {
    const response = await careless.post('/register-plate', body)
    assert.equal(response.status, 400)
    assert.ok(['bad_json', 'invalid_input'].includes(response.body.code))
  })
}

test('the eleventh registration of a day is refused, and says when to retry', async () => {
  const owner = await limited.user()
  for (let i = 0; i < 10; i++) assert.equal((await register(owner, `DAY${i}`)).status, 200)
  const response = await register(owner, 'DAY10')
  assert.equal(response.status, 429)
  assert.deepEqual(response.body, {
    error: 'Too many attempts. Please wait a moment and try again.',
    code: 'too_many_requests',
  })
  const wait = Number(response.headers.get('retry-after'))
  assert.ok(wait > 0 && wait <= 2 * 24 * 3600, `retry-after is ${wait}`)
  const french = await register(owner, 'DAY10', {}, IN_FRENCH)
  assert.equal(french.body.error, 'Trop de tentatives. Veuillez patienter un moment, puis réessayer.')
  assert.equal((await owner.get('/api/vehicles?limit=100')).body.items.length, 10)
})

test('every registration counts, whatever its answer: each reveals which plates are taken', async () => {
  const [owner, person] = [await limited.user(), await limited.user()]
  for (const plate of ['TAKEN1', 'TAKEN2']) await register(owner, plate)
  const answers: string[] = []
  for (const plate of [
    'TAKEN1',
    'OWN1',
    'OWN1',
    'TAKEN2',
    'TAKEN2',
    'TAKEN2',
    'TAKEN2',
    'TAKEN2',
    'TAKEN2',
    'TAKEN2',
    'OWN2',
  ]) {
    const { body } = await register(person, plate)
    answers.push(body.status ?? body.code)
  }
  assert.deepEqual(answers, [
    ...['dispute_started', 'registered', 'already_yours'],
    ...Array(7).fill('open_challenge'),
    'too_many_requests',
  ])
})

test('an account can have twenty vehicles, not counting rejected ones', async () => {
  const owner = await limited.user()
  await limited.db`
    insert into vehicles (id, user_id, plate, make, model, registration_year, province, status)
    select gen_random_uuid(), ${owner.id}, 'HELD' || n, 'Honda', 'Civic', 2020, 'Ontario',
      case when n = 20 then 'rejected' else 'active' end
    from generate_series(1, 20) n`
  assert.equal((await register(owner, 'HELD21')).status, 200)
  const { status, body } = await register(owner, 'HELD22')
  assert.equal(status, 409)
  assert.deepEqual(body, {
    error: 'You’ve reached the maximum number of vehicles for one account.',
    code: 'too_many_vehicles',
  })
  const french = await register(owner, 'HELD22', {}, IN_FRENCH)
  assert.equal(french.body.error, 'Vous avez atteint le nombre de véhicules qu’un compte peut contenir.')
})

test('a person who registers the same plate concurrently gets one vehicle', async () => {
  const owner = await app.user()
  const responses = await Promise.all(Array.from({ length: 8 }, () => register(owner, 'TWICE1')))
  assert.equal(responses.filter(({ status }) => status === 200).length, 1)
  assert.equal(responses.filter(({ body }) => body.code === 'already_yours').length, 7)
  assert.equal((await owner.get('/api/vehicles')).body.items.length, 1)
})
