import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { accepted, type Person, testApp } from '../test/app.ts'
import { createAdmin, createThreeUsers, onlyVehicleOf, registerPlate } from '../test/disputes.ts'

const app = await testApp()
const adminUser = await createAdmin(app)

type Listed = { id: string; email: string; full_name: string | null; created_at: string }
const page = async (input: { search?: string; cursor?: string; limit?: number }) => {
  const { status, body, text } = await adminUser.post('/rest/v1/rpc/get_users', input)
  assert.equal(status, 200, text)
  return body as { items: Listed[]; next: string | null }
}
const names = async (search: string) => (await page({ search })).items.map(({ full_name }) => full_name)

test('get_users accepts no body like an empty object, and the headers that other clients send', async () => {
  const { body } = await adminUser.post('/rest/v1/rpc/get_users', {})
  const bare = await fetch(`${app.url}/rest/v1/rpc/get_users`, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminUser.token}` },
  })
  assert.deepEqual(await bare.json(), body)
  const headers = { apikey: 'anon', prefer: 'count=exact', 'content-profile': 'public', 'x-client-info': 'test' }
  assert.deepEqual((await adminUser.post('/rest/v1/rpc/get_users', '', headers)).body, body)
})

test('addresses and full names are searched regardless of case, names also regardless of accents', async () => {
  const person = await app.user({ full_name: 'Éloïse Grand’Maison-Çelik' })
  for (const search of [
    'éloïse',
    'ELOISE',
    'eloise grand’maison',
    'elo\u0308i',
    'MAISON-CELIK',
    '-ç',
    '  Çelik ',
    person.email.toUpperCase(),
    person.email.slice(3, -2),
  ]) {
    const found = (await page({ search })).items.map(({ id }) => id)
    assert.ok(found.includes(person.id), search)
  }
  assert.deepEqual(await names('Éloïse  Grand'), [])
})

test('a search is literal: no character has a special meaning', async () => {
  const tag = randomUUID().slice(0, 6)
  const written = [
    `a_b ${tag}`,
    `a%b ${tag}`,
    `axb ${tag}`,
    `O'Neil ${tag}`,
    `back\\slash ${tag}`,
    `<b>"${tag}"</b>`,
    `🚗🚙 ${tag}`,
  ]
  for (const full_name of written) await app.user({ full_name })
  for (const full_name of written) assert.deepEqual(await names(full_name), [full_name])
  assert.deepEqual(await names(`🚗`), [`🚗🚙 ${tag}`])
  assert.deepEqual(await names(tag), written.toReversed())
  for (const search of [
    `%${tag}`,
    `_b ${tag.slice(1)}`,
    `a\\_b`,
    `a.b ${tag}`,
    `';--`,
    '\0',
    `${tag}\0`,
    '\u0301',
    'x'.repeat(255),
  ]) {
    assert.deepEqual([search, await names(search)], [search, []])
  }
  // what PostgreSQL cannot store must not cause a server error
  assert.equal((await adminUser.post('/rest/v1/rpc/get_users', '{"search":"\\ud800"}')).status, 200)
})

test('a changed name is found, and the earlier one is not', async () => {
  const [before, now] = [`Before ${randomUUID()}`, `Now ${randomUUID()}`]
  const person = await app.user({ full_name: before })
  assert.deepEqual(await names(before), [before])
  assert.equal((await person.put('/auth/v1/user', { data: { full_name: now } })).status, 200)
  assert.deepEqual(await names(before), [])
  assert.deepEqual(await names(now.toLowerCase()), [now])
})

test('accounts created or deleted during paging are neither shown twice nor hide another', async () => {
  const tag = randomUUID().slice(0, 8)
  const people: Person[] = []
  for (let n = 0; n < 7; n++) people.unshift(await app.user({ full_name: `Page ${tag}` }))
  const found: string[] = []
  let cursor: string | undefined
  do {
    const { items, next } = await page({ search: tag, limit: 2, ...(cursor && { cursor }) })
    found.push(...items.map(({ id }) => id))
    cursor = next ?? undefined
    await app.user({ full_name: `Page ${tag}` })
    if (found.length === 2) await app.db`delete from auth.users where id = ${people[1]!.id}`
  } while (cursor)
  assert.deepEqual(
    found,
    people.map(({ id }) => id),
  )
})

type Filters = Record<string, string>
const vehiclePage = async (filters: Filters) => {
  const { status, body, text } = await adminUser.get(`/api/admin/vehicles?${new URLSearchParams(filters).toString()}`)
  assert.equal(status, 200, text)
  return body as { items: { id: string; plate: string; owner_email: string; status: string }[]; next: string | null }
}
const plates = async (filters: Filters) => (await vehiclePage(filters)).items.map(({ plate }) => plate)

/** Creates a person with this address. */
const owner = (email: string) => app.user({ email })

test('of an owner a vehicle shows id and address, and nothing else', async () => {
  const email = `anna.${randomUUID()}@example.com`
  const anna = await owner(email)
  const { id } = await app.vehicle(anna, { plate: 'SHOW-1', province: 'Quebec' })
  const [{ created_at, ...shown } = { created_at: '' }] = (await vehiclePage({ email })).items as Record<
    string,
    unknown
  >[]
  assert.ok(created_at)
  assert.deepEqual(shown, {
    ...{ id, plate: 'SHOW-1', make: 'Honda', model: 'Civic', registration_year: 2020, province: 'Quebec' },
    ...{ status: 'active', paused: false, user_id: anna.id, owner_email: email, dispute: null },
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
  await accepted(adminUser.post(`/api/admin/vehicles/${(await onlyVehicleOf(incumbent)).id}/approve`))
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
  const addresses = [`a_b.${tag}@example.com`, `a%b.${tag}@example.com`, `o'neil.${tag}@example.com`]
  for (const email of addresses) await app.vehicle(await owner(email))
  const found = async (email: string) => (await vehiclePage({ email })).items.map(({ owner_email }) => owner_email)
  for (const email of addresses) assert.deepEqual(await found(email.toUpperCase().slice(0, -2)), [email])
  assert.deepEqual(await found(`${tag}@example.com`), addresses.toReversed())
  for (const email of [`%${tag}`, `_b.${tag.slice(1)}`, `a\\_b.${tag}`, `a\\`, '\0', '🚗'])
    assert.deepEqual([email, await found(email)], [email, []])
})
