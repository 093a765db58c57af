import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Caller, TestResponse } from '../app.ts'
import { assertReads, list, register, send } from './calls.ts'
import { startWalk, type Walker } from './walk.ts'

// Requirements §6, and who learns what (§1), over HTTP.

const walk = await startWalk()
after(() => walk.close())
const owner = await walk.person({ fullName: 'Sam Roy' })
const sender = await walk.person({ fullName: 'Robin Unmistakable', locale: 'fr-CA' })
const admin = await walk.admin()
await register(owner, 'ROLES1')
await register(sender, 'ROLES2', { province: 'Quebec' })

type Call = (who: Caller, headers?: Record<string, string>) => Promise<TestResponse>

/** The dashboard pages, notifications, sending. */
const OF_PEOPLE: Call[] = [
  (who, headers) => who.get('/api/dashboard', headers),
  (who, headers) => who.get('/api/notifications', headers),
  (who, headers) => who.get('/api/vehicles', headers),
  (who, headers) => who.get('/api/messages', headers),
  (who, headers) => who.post('/api/messages', { plate: 'ROLES1', content: 'Hello' }, headers),
  (who, headers) => who.post('/register-plate', { plate: 'ROLES3' }, headers),
]

const OF_ADMINS: Call[] = [
  (who, headers) => who.get('/api/admin/stats', headers),
  (who, headers) => who.post('/rest/v1/rpc/get_users', {}, headers),
  (who, headers) => who.post('/functions/v1/delete-user', { id: sender.id }, headers),
  (who, headers) => who.get('/api/admin/vehicles', headers),
  (who, headers) => who.post(`/api/admin/vehicles/${sender.id}/approve`, {}, headers),
  (who, headers) => who.post(`/api/admin/vehicles/${sender.id}/reject`, { reason: 'x' }, headers),
  (who, headers) => who.delete(`/api/admin/vehicles/${sender.id}`, undefined, headers),
]

test('visitor: public pages and forms; nothing of the signed-in part', async () => {
  const visitor = walk.visitor()
  for (const path of ['/make_models.json', '/auth/v1/settings']) assert.equal((await visitor.get(path)).status, 200)
  for (const call of OF_PEOPLE) await assertReads((headers) => call(visitor, headers), 401, 'You must be signed in.')
})

test('sees only own vehicles', async () => {
  for (const [who, plate] of [
    [owner, 'ROLES1'],
    [sender, 'ROLES2'],
  ] as const) {
    assert.deepEqual(
      (await list(who, '/api/vehicles')).map((vehicle) => vehicle.plate),
      [plate],
    )
  }
})

test('received messages are those whose vehicle belongs to the user; sent are those the user sent', async () => {
  const [there, back] = [await send(sender, 'ROLES1', 'To Sam'), await send(owner, 'ROLES2', 'To Robin')]
  const ids = async (who: Walker, view: string) => (await list(who, `/api/messages?view=${view}`)).map(({ id }) => id)
  assert.deepEqual([await ids(owner, 'received'), await ids(owner, 'sent')], [[there], [back]])
  assert.deepEqual([await ids(sender, 'received'), await ids(sender, 'sent')], [[back], [there]])
  assert.equal((await (await walk.person()).get(`/api/messages/${there}`)).status, 404)
})

test('sender contact details are never shown to the recipient, on the page or by email', async () => {
  const mail = await walk.mail(owner.email, /ROLES1/)
  const shown = [mail, (await owner.get('/api/messages')).body, (await owner.get('/api/notifications')).body]
  for (const detail of [sender.id, sender.email, sender.fullName]) assert.ok(!JSON.stringify(shown).includes(detail))
})

test('admin: an account with is_admin; nobody else may call what is for admins', async () => {
  for (const call of OF_ADMINS) {
    assert.equal((await call(walk.visitor())).status, 401)
    await assertReads((headers) => call(owner, headers), 403, "You're not allowed to do this.")
  }
  const claimed = await owner.put('/auth/v1/user', { data: { is_admin: true } })
  assert.equal('is_admin' in claimed.body.user_metadata, false)
  assert.equal((await owner.get('/api/admin/stats')).status, 403)
})

test('admin: every call needs a second factor', async () => {
  const withPasswordAlone = await walk.signIn(admin)
  await assertReads(
    (headers) => withPasswordAlone.get('/api/admin/stats', headers),
    403,
    'Please confirm your login with your second step first.',
  )
  assert.equal((await admin.get('/api/admin/stats')).status, 200)
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

test('admin: lists and searches all users by email or name', async () => {
  const found = async (input: object) =>
    (await admin.post('/rest/v1/rpc/get_users', input)).body.items.map(({ email }: { email: string }) => email)
  const everybody = await found({})
  for (const person of [owner, sender, admin]) assert.ok(everybody.includes(person.email))
  assert.deepEqual(await found({ search: 'unmistakable' }), [sender.email])
  assert.deepEqual(await found({ search: sender.email.slice(0, -4) }), [sender.email])
  assert.deepEqual(await found({ search: 'nobody at all' }), [])
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

test('admin: deletes users', async () => {
  const { status, body } = await admin.post('/functions/v1/delete-user', { id: sender.id })
  assert.deepEqual([status, body], [200, {}])
  assert.equal((await sender.get('/api/dashboard')).status, 401)
  assert.deepEqual(
    (await list(admin, '/api/admin/vehicles')).map(({ plate }) => plate),
    ['ROLES1'],
  )
})
