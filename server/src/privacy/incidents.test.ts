import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { testApp } from '../test/app.ts'
import { createAdmin } from '../test/disputes.ts'

// The register of confidentiality incidents (decision 0094).

const app = await testApp()
after(() => app.close())
const admin = await createAdmin(app)

const entry = (changes: Record<string, unknown> = {}) => ({
  amends: null,
  noticed_on: '2026-11-20',
  occurred: 'On the evening of 19 November',
  what_happened: 'A mail went to the wrong person.',
  whose_data: 'One owner: name and plate',
  people: 1,
  what_was_done: 'They deleted it and said so.',
  serious_risk: false,
  risk_reason: 'The recipient is known to us.',
  who_was_told: 'The owner, on 20 November',
  ...changes,
})
const record = (changes: Record<string, unknown> = {}) => admin.post('/api/admin/incidents', entry(changes))
const register = async () => (await admin.get('/api/admin/incidents?limit=100')).body.items

test('an entry says everything the law asks for, with who recorded it, and stands in the audit log', async () => {
  const { status, body } = await record({ serious_risk: true, people: null })
  assert.equal(status, 201)
  assert.deepEqual(body, {
    ...entry({ serious_risk: true, people: null }),
    id: body.id,
    created_at: body.created_at,
    recorded_by: admin.email,
  })
  assert.deepEqual((await register())[0], body)
  const [latest] = (await admin.get('/api/admin/audit-log')).body.items
  assert.deepEqual([latest.action, latest.subject_id, latest.actor_email], ['incident_recorded', body.id, admin.email])
})

test('what becomes known later is another entry about the first one', async () => {
  const { body: first } = await record()
  const { body: second } = await record({ amends: first.id, people: 40 })
  const { body: third } = await record({ amends: second.id.toUpperCase(), people: 41 })
  assert.deepEqual([second.amends, third.amends], [first.id, first.id])
  assert.deepEqual(
    (await register()).slice(0, 3).map(({ people }: { people: number }) => people),
    [41, 40, 1],
  )
  const unknown = await record({ amends: randomUUID() })
  assert.deepEqual([unknown.status, unknown.body.code], [404, 'not_found'])
})

test('entries can be neither changed nor removed, not even in the database', async () => {
  const { body } = await record()
  for (const change of [
    app.db`update incidents set serious_risk = true where id = ${body.id}`,
    app.db`update incidents set text_encrypted = null where id = ${body.id}`,
    app.db`delete from incidents where id = ${body.id}`,
    app.db`truncate incidents`,
  ]) {
    await assert.rejects(change, /the incident register is append-only/)
  }
  assert.equal((await register())[0].id, body.id)
})

test('its texts are encrypted', async () => {
  const { body } = await record({ what_happened: 'unmistakable words', who_was_told: 'unmistakable people' })
  const [row] = await app.db`select t::text as row, text_encrypted from incidents t where id = ${body.id}`
  assert.equal((row!['text_encrypted'] as Buffer).includes('unmistakable'), false)
  assert.equal(String(row!['row']).includes(Buffer.from('unmistakable').toString('hex')), false)
})

test('each wrong field is named, and nothing is recorded', async () => {
  const before = (await register()).length
  for (const [field, value] of [
    ['noticed_on', '2026-02-30'],
    ['noticed_on', '0000-01-01'],
    ['noticed_on', '2999-01-01'],
    ['occurred', ' \u200b '],
    ['what_happened', 'x'.repeat(5_001)],
    ['whose_data', undefined],
    ['people', -1],
    ['people', 1.5],
    ['what_was_done', 'a\0b'],
    ['serious_risk', 'no'],
    ['risk_reason', ''],
    ['who_was_told', 7],
    ['amends', 'first'],
  ] as const) {
    const { status, body } = await record({ [field]: value })
    assert.deepEqual([status, Object.keys(body.fields ?? {})], [400, [field]], `${field}: ${value}`)
  }
  assert.equal((await register()).length, before)
})
