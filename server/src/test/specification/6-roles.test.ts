import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { list, register, send } from './calls.ts'
import { startWalk, type Walker } from './walk.ts'

// Requirements §6, over HTTP: what each sees. Who may call what is in the matrix, and that nobody learns who another is in
// confidentiality.test.ts.

const walk = await startWalk()
after(() => walk.close())
const owner = await walk.person({ fullName: 'Sam Roy' })
const sender = await walk.person({ fullName: 'Robin Unmistakable', locale: 'fr-CA' })
const admin = await walk.admin()
await register(owner, 'ROLES1')
await register(sender, 'ROLES2', { province: 'Quebec' })

test('received messages are those whose vehicle belongs to the user; sent are those the user sent', async () => {
  const [there, back] = [await send(sender, 'ROLES1', 'To Sam'), await send(owner, 'ROLES2', 'To Robin')]
  const ids = async (who: Walker, view: string) => (await list(who, `/api/messages?view=${view}`)).map(({ id }) => id)
  assert.deepEqual([await ids(owner, 'received'), await ids(owner, 'sent')], [[there], [back]])
  assert.deepEqual([await ids(sender, 'received'), await ids(sender, 'sent')], [[back], [there]])
  assert.equal((await (await walk.person()).get(`/api/messages/${there}`)).status, 404)
})

test('admin: sees vehicle counts by province (status active or verified)', async () => {
  const counts = async () => {
    const { total, by_province } = (await admin.get('/api/admin/stats')).body
    return [total, by_province.Ontario, by_province.Quebec, by_province.Manitoba]
  }
  assert.deepEqual(await counts(), [2, 1, 1, 0])
  const [mine] = await list(owner, '/api/vehicles')
  assert.equal((await admin.post(`/api/admin/vehicles/${mine.id}/approve`)).body.vehicle.status, 'verified')
  assert.deepEqual(await counts(), [2, 1, 1, 0])
  await admin.post(`/api/admin/vehicles/${mine.id}/reject`, { reason: 'It is another car.' })
  assert.deepEqual(await counts(), [1, 0, 1, 0])
})

test('admin: lists all vehicles with owner email, by plate text, owner email text, province and status', async () => {
  const found = async (query: string) =>
    (await list(admin, `/api/admin/vehicles${query}`)).map((vehicle) => [vehicle.plate, vehicle.owner_email])
  const [one, two] = [
    ['ROLES1', owner.email],
    ['ROLES2', sender.email],
  ]
  assert.deepEqual(await found(''), [two, one])
  assert.deepEqual(await found('?plate=es1'), [one])
  assert.deepEqual(await found(`?email=${sender.email.slice(0, -4)}`), [two])
  assert.deepEqual(await found('?province=Quebec'), [two])
  for (const [status, plates] of [
    ['active', [two]],
    ['rejected', [one]],
    ['pending_verification', []],
    ['verified', []],
  ] as const) {
    assert.deepEqual(await found(`?status=${status}`), plates)
  }
})
