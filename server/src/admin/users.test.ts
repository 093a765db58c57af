import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { type Person, testApp } from '../test/app.ts'
import { createAdmin } from '../test/disputes.ts'

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
