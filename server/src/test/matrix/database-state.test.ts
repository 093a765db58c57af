import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '../app.ts'
import { NOT_COMPARED, prepareDatabaseState } from './database-state.ts'

const app = await testApp({ settings: { ROLE: 'web' } })
after(() => app.close())

test('one changed, added or deleted row of any table is noticed and can be taken back', async () => {
  const owner = await app.user()
  const { plate } = await app.vehicle(owner)
  const sender = await app.user()
  assert.equal((await sender.post('/api/messages', { plate, content: 'Your lights are on' })).status, 201)
  const state = await prepareDatabaseState(app.db)
  await state.remember()
  for (const table of ['auth.users', 'auth.sessions', 'public.messages', 'public.audit_log', 'public.notifications'])
    assert.ok(state.compared.includes(table), table)
  for (const table of Object.keys(NOT_COMPARED)) assert.ok(!state.compared.includes(table), table)

  await app.db`update messages set plate = plate`
  assert.deepEqual(await state.changedTables(), [])
  await app.db`update messages set is_read = true`
  assert.deepEqual(await state.changedTables(), ['public.messages'])
  await app.db`delete from auth.users where id = ${owner.id}`
  await app.db`insert into digests (recipient_id, next_at, tries) values (${sender.id}, now(), 0)`
  const changed = await state.changedTables()
  for (const table of ['auth.users', 'public.digests', 'public.messages', 'public.vehicles'])
    assert.ok(changed.includes(table), table)
  assert.deepEqual(await state.changedOfAllTables(), changed)

  await state.restore(changed)
  assert.deepEqual(await state.changedOfAllTables(), [])
  assert.equal((await owner.get('/api/messages')).body.items.length, 1)
})
