import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { newId } from '../db/ids.ts'
import { testApp } from '../test/app.ts'
import { createAdmin, createThreeUsers, onlyVehicleOf, registerPlate } from '../test/disputes.ts'

const app = await testApp()
after(() => app.close())
const adminUser = await createAdmin(app)

type Filters = Record<string, string>
const page = async (filters: Filters) => {
  const { status, body, text } = await adminUser.get(`/api/admin/vehicles?${new URLSearchParams(filters).toString()}`)
  assert.equal(status, 200, text)
  return body as { items: { id: string; plate: string; owner_email: string; status: string }[]; next: string | null }
}
const plates = async (filters: Filters) => (await page(filters)).items.map(({ plate }) => plate)

/** Reads all pages of a list; `between` runs after each. */
async function wholeList(filters: Filters, between = async () => {}) {
  const found: string[] = []
  for (let cursor: string | null = ''; cursor !== null; await between()) {
    const { items, next }: Awaited<ReturnType<typeof page>> = await page({ ...filters, ...(cursor && { cursor }) })
    found.push(...items.map(({ id }) => id))
    cursor = next
  }
  return found
}

/** Creates a person with this address. */
const owner = (email: string) => app.user({ email })

test('a vehicle is shown completely, with its owner’s id and address and nothing else about the owner', async () => {
  const email = `anna.${randomUUID()}@example.com`
  const anna = await owner(email)
  const { id } = await app.vehicle(anna, { plate: 'SHOW-1', province: 'Quebec' })
  const [shown, ...more] = (await page({ email })).items
  assert.equal(more.length, 0)
  const { created_at, ...rest } = shown as unknown as Record<string, unknown>
  assert.ok(Math.abs(Date.parse(String(created_at)) - Date.now()) < 60_000)
  assert.deepEqual(rest, {
    id,
    plate: 'SHOW-1',
    make: 'Honda',
    model: 'Civic',
    registration_year: 2020,
    province: 'Quebec',
    status: 'active',
    paused: false,
    user_id: anna.id,
    owner_email: email,
    dispute: null,
  })
})

test('each side’s role and due date are shown, and no longer after the dispute', async () => {
  const [incumbent, challenger, third] = await createThreeUsers(app)
  for (const who of [incumbent, challenger, third]) await registerPlate(who, 'SIDES1')
  const first = (await onlyVehicleOf(challenger)).dispute.documents_due_at

  const sides = async () => {
    const { items } = (await adminUser.get('/api/admin/vehicles?plate=sides1')).body
    return Object.fromEntries(
      items.map((item: { owner_email: string; dispute: unknown }) => [item.owner_email, item.dispute]),
    )
  }
  assert.deepEqual(await sides(), {
    [incumbent.email]: { role: 'incumbent', documents_due_at: first },
    [challenger.email]: { role: 'challenger', documents_due_at: first },
    [third.email]: { role: 'challenger', documents_due_at: (await onlyVehicleOf(third)).dispute.documents_due_at },
  })
  assert.equal(
    (await adminUser.post(`/api/admin/vehicles/${(await onlyVehicleOf(incumbent)).id}/approve`)).body.deleted_peers,
    2,
  )
  assert.deepEqual(await sides(), { [incumbent.email]: null })
})

test('a plate is found by any part of it, however it is typed', async () => {
  await app.vehicle(await app.user(), { plate: 'K-9W-77' })
  for (const typed of ['K9W77', 'k9w77', ' k9 w7', '9-w', 'K-9-W-7-7', 'Ｋ９Ｗ', '-9w7-', 'w77', 'K9W\\', "K9W'"]) {
    assert.deepEqual([typed, await plates({ plate: typed })], [typed, ['K-9W-77']])
  }
  for (const typed of ['K9W777', '9K', 'K_W77', 'K%77', '%9W', 'É', '🚗', 'K9W\0', 'K9W77K9W77']) {
    assert.deepEqual([typed, await plates({ plate: typed })], [typed, []])
  }
})

test('a filter without any searchable character filters nothing', async () => {
  const all = await plates({})
  for (const plate of ['', '   ', '-', ' - - ', '’.']) assert.deepEqual(await plates({ plate }), all)
  assert.deepEqual(await plates({ email: '  ' }), all)
})

test('a search for an address is literal: no character has a special meaning', async () => {
  const tag = randomUUID().slice(0, 6)
  const addresses = [
    `a_b.${tag}@example.com`,
    `a%b.${tag}@example.com`,
    `axb.${tag}@example.com`,
    `o'neil.${tag}@example.com`,
  ]
  for (const [n, email] of addresses.entries())
    await app.vehicle(await owner(email), { plate: `LIT${tag.slice(0, 4)}${n}` })
  const found = async (email: string) => (await page({ email })).items.map(({ owner_email }) => owner_email)
  assert.deepEqual(await found(`a_b.${tag}`), [addresses[0]])
  assert.deepEqual(await found(`A%B.${tag}`), [addresses[1]])
  assert.deepEqual(await found(`o'neil.${tag}`), [addresses[3]])
  assert.deepEqual(await found(`${tag}@example.com`), addresses.toReversed())
  for (const email of [
    `%${tag}`,
    `_b.${tag.slice(1)}`,
    `a\\_b.${tag}`,
    `a\\`,
    `';--`,
    '\0',
    'é',
    '🚗',
    'x'.repeat(255),
  ]) {
    assert.deepEqual([email, await found(email)], [email, []])
  }
})

test('vehicles added or deleted during paging are neither shown twice nor hide another', async () => {
  const tag = randomUUID().slice(0, 8)
  const who = await owner(`pages.${tag}@example.com`)
  const ids: string[] = []
  for (let n = 0; n < 12; n++) ids.unshift((await app.vehicle(who)).id)
  const removed = new Set([ids[1], ids[2], ids[6]])
  let round = 0
  const found = await wholeList({ email: tag, limit: '3' }, async () => {
    await app.vehicle(who)
    // one that was shown, then the one the cursor names, then one still to come
    const victim = [ids[1], ids[2], ids[6]][round++]
    if (victim) assert.equal((await adminUser.delete(`/api/admin/vehicles/${victim}`)).status, 204)
  })
  assert.equal(new Set(found).size, found.length)
  assert.deepEqual(
    ids.filter((id) => !removed.has(id) && !found.includes(id)),
    [],
  )
})

// Enough vehicles for PostgreSQL to find what is rare by an index and what is common by walking from the newest.
describe('among many vehicles', () => {
  const BULK = 4_000
  before(async () => {
    const people = Array.from({ length: 40 }, (_, n) => ({
      id: newId(),
      email: `bulk${n}@${n % 2 ? 'gmail' : 'bell'}.test`,
    }))
    await app.db`insert into auth.users ${app.db(people)}`
    const cars = Array.from({ length: BULK }, (_, n) => ({
      id: newId(),
      user_id: people[n % people.length]!.id,
      plate: `BB${String(n).padStart(4, '0')}`,
      make: 'Honda',
      model: 'Civic',
      registration_year: 2020,
      province: n % 100 === 50 ? 'Prince Edward Island' : 'Alberta',
      status: n % 200 === 50 ? 'rejected' : 'active',
    }))
    // the oldest of all but two
    const old = await owner('rare.bird@bulk.test')
    await app.vehicle(old, { plate: 'RARE-1', province: 'Alberta' })
    await app.vehicle(old, { plate: 'RARE-2', province: 'Manitoba' })
    for (let n = 0; n < BULK; n += 1_000) await app.db`insert into vehicles ${app.db(cars.slice(n, n + 1_000))}`
  })

  test('the pages of a search match the whole list, however many or few matches there are', async () => {
    const all = await app.db<{ id: string; plate_key: string; email: string }[]>`
      select v.id, plate_key, u.email from vehicles v join auth.users u on u.id = user_id order by v.id desc`
    for (const [filters, fits] of [
      [{ plate: 'rare' }, (v) => v.plate_key.includes('RARE')],
      [{ email: 'Rare.Bird', province: 'Manitoba' }, (v) => v.plate_key === 'RARE2'],
      [{ email: 'bulk.test', plate: '2' }, (v) => v.plate_key === 'RARE2'],
      [{ plate: 'Q1X' }, () => false],
      [{ email: 'bulk7@bell' }, () => false],
      [{ plate: '00' }, (v) => v.plate_key.includes('00')],
      [{ plate: '12' }, (v) => v.plate_key.includes('12')],
      [{ plate: '123' }, (v) => v.plate_key.includes('123')],
      [{ email: 'bulk7@' }, (v) => v.email.includes('bulk7@')],
      [{ email: 'bulk1', plate: '11' }, (v) => v.email.includes('bulk1') && v.plate_key.includes('11')],
    ] as [Filters, (vehicle: { plate_key: string; email: string }) => boolean][]) {
      const wanted = all.filter(fits).map(({ id }) => id)
      assert.deepEqual(await wholeList({ ...filters, limit: '17' }), wanted, JSON.stringify(filters))
    }
  })
})
