import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { PROVINCES } from '#contract/provinces.ts'
import { revokeAdmin } from '../auth/admin-role.ts'
import { type Caller, type TestResponse, testApp } from '../test/app.ts'
import { createAdmin, createTwoUsers, onlyVehicleOf, registerPlate } from '../test/disputes.ts'

const app = await testApp()
after(() => app.close())
const adminUser = await createAdmin(app)

type Call = (who: Caller, id: string) => Promise<TestResponse>

const LISTS: Record<string, Call> = {
  users: (who) => who.post('/rest/v1/rpc/get_users', {}),
  stats: (who) => who.get('/api/admin/stats'),
  vehicles: (who) => who.get('/api/admin/vehicles'),
  disputes: (who) => who.get('/api/admin/disputes'),
  'audit log': (who) => who.get('/api/admin/audit-log'),
}
const DECISIONS: Record<string, Call> = {
  approve: (who, id) => who.post(`/api/admin/vehicles/${id}/approve`),
  reject: (who, id) => who.post(`/api/admin/vehicles/${id}/reject`, { reason: 'The documents are unreadable.' }),
  delete: (who, id) => who.delete(`/api/admin/vehicles/${id}`),
  documents: (who, id) => who.patch(`/api/admin/disputes/${id}`, { documents_received: true }),
}

/** Creates a dispute. */
async function disputed(plate: string) {
  const [owner, challenger] = await createTwoUsers(app)
  await registerPlate(owner, plate)
  await registerPlate(challenger, plate)
  const [dispute] = await app.db<{ id: string }[]>`select id from plate_disputes where plate = ${plate}`
  return { owner, challenger, vehicle: await onlyVehicleOf(challenger), disputeId: dispute!.id }
}

test('only admins may call these endpoints, and refused calls change nothing', async () => {
  const { owner, vehicle, disputeId } = await disputed('MINE1')
  const entries = await app.db`select 1 from audit_log`
  for (const [name, call] of Object.entries({ ...LISTS, ...DECISIONS })) {
    for (const id of [vehicle.id, disputeId, randomUUID()]) {
      const stranger = await call(app.visitor, id)
      assert.deepEqual([name, stranger.status, stranger.body.code], [name, 401, 'signed_out'])
      const person = await call(owner, id)
      assert.deepEqual([name, person.status, Object.keys(person.body)], [name, 403, ['error', 'code']])
      assert.equal(person.body.code, 'forbidden')
    }
  }
  assert.equal((await app.db`select 1 from vehicles where id = ${vehicle.id}`).length, 1)
  const [dispute] = await app.db`select documents_received_at from plate_disputes where id = ${disputeId}`
  assert.equal(dispute?.['documents_received_at'], null)
  assert.equal((await app.db`select 1 from audit_log`).length, entries.length)
})

test('somebody who loses the admin role is refused on the next request of the same session', async () => {
  const former = await createAdmin(app)
  assert.equal((await former.get('/api/admin/stats')).status, 200)
  assert.equal(await revokeAdmin(app.db, former.email), 'revoked')
  for (const call of Object.values({ ...LISTS, ...DECISIONS })) {
    assert.equal((await call(former, randomUUID())).status, 403)
  }
  assert.equal((await former.get('/api/vehicles')).status, 200)
})

test('an unknown id is not found, and leaves no entry in the audit log', async () => {
  const before = (await adminUser.get('/api/admin/audit-log')).body.items
  for (const [name, call] of Object.entries(DECISIONS)) {
    const { status, body } = await call(adminUser, randomUUID())
    assert.deepEqual([name, status, body.code], [name, 404, 'not_found'])
  }
  assert.deepEqual((await adminUser.get('/api/admin/audit-log')).body.items, before)
})

test('a malformed id is refused as invalid input', async () => {
  for (const id of ['1', 'null', '%00', '0'.repeat(36)]) {
    for (const [name, call] of Object.entries(DECISIONS)) {
      const { status, body } = await call(adminUser, id)
      assert.deepEqual([name, status, body.code, Object.keys(body.fields)], [name, 400, 'invalid_input', ['id']])
    }
  }
})

test('malformed input is refused with the name of the field', async () => {
  const { vehicle, disputeId } = await disputed('FORM1')
  const reject = `/api/admin/vehicles/${vehicle.id}/reject`
  const long = 'x'.repeat(1001)
  for (const [field, response] of [
    ['reason', await adminUser.post(reject, {})],
    ['reason', await adminUser.post(reject)],
    ['reason', await adminUser.post(reject, { reason: ' \n ' })],
    ['reason', await adminUser.post(reject, { reason: long })],
    ['reason', await adminUser.post(reject, { reason: 7 })],
    ['documents_received', await adminUser.patch(`/api/admin/disputes/${disputeId}`, {})],
    ['documents_received', await adminUser.patch(`/api/admin/disputes/${disputeId}`, { documents_received: 'yes' })],
    ['province', await adminUser.get('/api/admin/vehicles?province=Texas')],
    ['status', await adminUser.get('/api/admin/vehicles?status=gone')],
    ['plate', await adminUser.get(`/api/admin/vehicles?plate=${'A'.repeat(256)}`)],
    ['email', await adminUser.get(`/api/admin/vehicles?email=${'a'.repeat(256)}`)],
    ['email', await adminUser.get('/api/admin/vehicles?email=a&email=b')],
    ['limit', await adminUser.get('/api/admin/vehicles?limit=101')],
    ['limit', await adminUser.get('/api/admin/disputes?limit=0')],
    ['cursor', await adminUser.get('/api/admin/vehicles?cursor=nonsense')],
    ['cursor', await adminUser.get('/api/admin/disputes?cursor=nonsense')],
    [
      'cursor',
      await adminUser.get(`/api/admin/disputes?cursor=${Buffer.from(`1 ${randomUUID()} 2`).toString('base64url')}`),
    ],
    ['cursor', await adminUser.get('/api/admin/audit-log?cursor=nonsense')],
    ['cursor', await adminUser.post('/rest/v1/rpc/get_users', { cursor: 'nonsense' })],
    ['search', await adminUser.post('/rest/v1/rpc/get_users', { search: ['a'] })],
    ['search', await adminUser.post('/rest/v1/rpc/get_users', { search: 'a'.repeat(256) })],
  ] as const) {
    assert.deepEqual(
      [response.status, response.body.code, Object.keys(response.body.fields)],
      [400, 'invalid_input', [field]],
    )
  }
  for (const body of ['[]', 'null', '"a"', '{']) {
    assert.equal((await adminUser.post('/rest/v1/rpc/get_users', body)).body.code, 'bad_json')
  }
  assert.equal((await onlyVehicleOf(await disputed('FORM2').then(({ owner }) => owner))).status, 'pending_verification')
})

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

test('stats count active and verified vehicles by province, and name every province', async () => {
  const before = (await adminUser.get('/api/admin/stats')).body
  const owner = await app.user()
  for (const status of ['active', 'verified', 'approved', 'rejected']) {
    await app.vehicle(owner, { status, province: 'Saskatchewan' })
  }
  await app.vehicle(owner, { province: 'Manitoba' })
  const { body } = await adminUser.get('/api/admin/stats')
  assert.deepEqual(Object.keys(body.by_province).sort(), [...PROVINCES].sort())
  assert.deepEqual(body, {
    total: before.total + 3,
    by_province: { ...before.by_province, Saskatchewan: 2, Manitoba: 1 },
  })
})
