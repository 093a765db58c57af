import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Person, testApp } from '../test/app.ts'

const app = await testApp()
after(() => app.close())

const IN_FRENCH = { 'accept-language': 'fr-CA' }
const UNKNOWN_ID = '01900000-0000-7000-8000-000000000000'

test('the list is newest first and paged without gaps or repeats', async () => {
  const owner = await app.user()
  const ids: string[] = []
  for (let i = 0; i < 5; i++) ids.unshift((await app.vehicle(owner)).id)
  const seen: string[] = []
  let cursor = ''
  for (const expected of [2, 2, 1]) {
    const { status, body } = await owner.get(`/api/vehicles?limit=2${cursor}`)
    assert.equal(status, 200)
    assert.equal(body.items.length, expected)
    seen.push(...body.items.map(({ id }: { id: string }) => id))
    cursor = `&cursor=${body.next}`
    assert.equal(body.next === null, expected === 1)
  }
  assert.deepEqual(seen, ids)
  const whole = await owner.get('/api/vehicles')
  assert.deepEqual(
    whole.body.items.map(({ id }: { id: string }) => id),
    ids,
  )
  assert.equal(whole.body.next, null)
  assert.equal(whole.headers.get('cache-control'), 'no-store')
})

test('a person without vehicles has an empty list, and nobody sees somebody else’s vehicles', async () => {
  const [owner, other] = [await app.user(), await app.user()]
  await app.vehicle(owner)
  assert.deepEqual((await other.get('/api/vehicles')).body, { items: [], next: null })
})

for (const query of [
  'cursor=nonsense',
  'cursor=',
  'limit=0',
  'limit=101',
  'limit=x',
  'limit=1.5',
  `cursor=${'a'.repeat(300)}`,
]) {
  test(`the list refuses ${query.slice(0, 30)}`, async () => {
    const owner = await app.user()
    const { status, body } = await owner.get(`/api/vehicles?${query}`)
    assert.equal(status, 400)
    assert.equal(body.code, 'invalid_input')
    assert.deepEqual(Object.keys(body.fields), [query.split('=')[0]])
  })
}

test('a person’s own vehicle is deleted once, which frees its plate', async () => {
  const owner = await app.user()
  const vehicle = await app.vehicle(owner, { plate: 'GONE1' })
  const response = await owner.delete(`/api/vehicles/${vehicle.id}`)
  assert.equal(response.status, 204)
  assert.equal(response.text, '')
  assert.deepEqual((await owner.get('/api/vehicles')).body.items, [])
  const again = await owner.delete(`/api/vehicles/${vehicle.id}`)
  assert.equal(again.status, 404)
  assert.deepEqual(again.body, { error: 'Not found.', code: 'not_found' })
  assert.equal((await app.vehicle(await app.user(), { plate: 'GONE1' })).status, 'active')
})

test('somebody else’s vehicle is not found, like one that does not exist, and is kept', async () => {
  const [owner, other] = [await app.user(), await app.user()]
  const vehicle = await app.vehicle(owner)
  const responses = [
    await other.delete(`/api/vehicles/${vehicle.id}`),
    await other.delete(`/api/vehicles/${UNKNOWN_ID}`),
  ]
  for (const { status, body } of responses) {
    assert.equal(status, 404)
    assert.deepEqual(body, { error: 'Not found.', code: 'not_found' })
  }
  const french = await other.delete(`/api/vehicles/${vehicle.id}`, undefined, IN_FRENCH)
  assert.equal(french.body.error, 'Introuvable.')
  assert.equal((await owner.get('/api/vehicles')).body.items.length, 1)
})

test('somebody else’s vehicle in a dispute stays in it', async () => {
  const [owner, challenger, stranger] = [await app.user(), await app.user(), await app.user()]
  const vehicle = await app.vehicle(owner, { plate: 'STAYS1' })
  await app.vehicle(challenger, { plate: 'STAYS1' })
  for (const who of [stranger, challenger]) assert.equal((await who.delete(`/api/vehicles/${vehicle.id}`)).status, 404)
  const { body } = await owner.get('/api/vehicles')
  assert.equal(body.items[0].status, 'pending_verification')
  assert.equal(body.items[0].dispute.role, 'incumbent')
})

test('a vehicle’s id is a UUID', async () => {
  const owner = await app.user()
  const { status, body } = await owner.delete('/api/vehicles/1%20or%201=1')
  assert.equal(status, 400)
  assert.equal(body.code, 'invalid_input')
})

test('listing and deleting require a session', async () => {
  const vehicle = await app.vehicle(await app.user())
  for (const response of [
    await app.visitor.get('/api/vehicles'),
    await app.visitor.delete(`/api/vehicles/${vehicle.id}`),
  ]) {
    assert.equal(response.status, 401)
    assert.deepEqual(response.body, { error: 'You must be signed in.', code: 'signed_out' })
  }
})

test('of concurrent deletions of one vehicle one succeeds, and the others find nothing', async () => {
  const owner = await app.user()
  const { id } = await app.vehicle(owner)
  const responses = await Promise.all([1, 2, 3].map(() => owner.delete(`/api/vehicles/${id}`)))
  assert.deepEqual(responses.map(({ status }) => String(status)).sort(), ['204', '404', '404'])
})

/**
 * Finds the plates that break an invariant, after any actions in any order: all challengers wait, and the vehicle that has the plate
 * is live unless a challenge pauses it. One that has kept its plate against a challenge is not paused by the next (decision 0077).
 */
const findInconsistentPlates = () => app.db`
  with challenges as (
    select province, plate_key, count(*)::int as count, bool_or(pauses) as pauses from plate_disputes group by province, plate_key
  )
  select province, plate_key, c.count as challenges, c.pauses, v.live, v.pending
  from (
    select province, plate_key,
      count(*) filter (where is_live(status))::int as live,
      count(*) filter (where status = 'pending_verification')::int as pending
    from vehicles where status <> 'rejected' group by province, plate_key
  ) v
  full join challenges c using (province, plate_key)
  where (v.live, v.pending) is distinct from case
    when c.pauses then (0, c.count + 1)
    when c.count > 0 then (1, c.count)
    else (1, 0) end`

test('when people register, delete and send concurrently no request fails, and every plate ends in a consistent state', async () => {
  const plates = ['CHAOS1', 'CHAOS2', 'CHAOS3']
  const people: Person[] = await Promise.all(Array.from({ length: 8 }, () => app.user()))
  const sender = await app.user()
  const statuses = new Map<number, number>()
  const count = ({ status }: { status: number }) => statuses.set(status, (statuses.get(status) ?? 0) + 1)
  let sending = true
  let delivered = 0
  const sends = (async () => {
    while (sending) {
      const batch = plates.map((plate) => sender.post('/api/messages', { plate, content: 'Your lights are on' }))
      for (const response of await Promise.all(batch)) {
        assert.ok(response.status < 500, response.text)
        if (response.status === 201) delivered++
      }
    }
  })()
  const registrations = people.map(async (who, i) => {
    for (let round = 0; round < 10; round++) {
      const order = plates.map((_, k) => plates[(i + k + round) % plates.length] ?? '')
      const input = { make: 'Honda', model: 'Civic', registration_year: 2020, province: 'Ontario' }
      const responses = await Promise.all(order.map((plate) => who.post('/register-plate', { plate, ...input })))
      responses.forEach(count)
      // the limit on challenges is not under test here
      await app.db`delete from challenges_started where user_id = ${who.id}`
      const { body } = await who.get('/api/vehicles')
      const own: { id: string }[] = round < 9 ? body.items : []
      for (const response of await Promise.all(own.map(({ id }) => who.delete(`/api/vehicles/${id}`)))) count(response)
    }
  })
  await Promise.all(registrations).finally(() => {
    sending = false
  })
  await sends
  assert.deepEqual(
    [...statuses.keys()].filter((status) => status >= 500),
    [],
    JSON.stringify([...statuses]),
  )
  assert.ok((statuses.get(200) ?? 0) > 50 && (statuses.get(204) ?? 0) > 50, JSON.stringify([...statuses]))
  assert.ok(delivered > 0, 'no message found an active vehicle')
  assert.deepEqual([...(await findInconsistentPlates())], [])
})
