import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { dayFromNow, startHolds, terms } from '../test/holds.ts'
import { runCommand } from '../test/product.ts'

// What admins do with legal holds (decision 0117): the list, its calls, and the command.

const holds = await startHolds()
after(holds.close)
const { app, db, admin, folder, holdAccount, exported } = holds

test('an admin sees a hold in the list, on the account and on the vehicle; the log has every step with its reason', async () => {
  const person = await app.user({ email: 'yan.held@example.com' })
  const vehicle = await app.vehicle(person, { plate: 'HOLD7' })
  const id = await holdAccount(person)
  const [item] = (await admin.get('/api/admin/holds')).body.items
  assert.deepEqual(item, {
    id,
    account: { id: person.id, email: person.email, exists: true },
    plate: null,
    province: null,
    ...terms(),
    placed_by: admin.email,
    created_at: item.created_at,
    lifted_at: null,
    lift_reason: null,
    in_force: true,
    kept: 0,
  })
  assert.equal((await admin.get(`/api/admin/users/${person.id}`)).body.on_hold, true)
  const held = async () =>
    (await admin.get('/api/admin/vehicles?plate=HOLD7')).body.items.map((one: { on_hold: boolean }) => one.on_hold)
  assert.deepEqual(await held(), [true])
  const extended = await admin.post(`/api/admin/holds/${id}/extend`, {
    ends_on: dayFromNow(200),
    reason: 'The court extended it.',
  })
  assert.deepEqual([extended.status, extended.body.ends_on], [200, dayFromNow(200)])
  await exported(id)
  await person.delete(`/api/vehicles/${vehicle.id}`)
  await person.post('/functions/v1/delete-user', { id: person.id })
  assert.deepEqual((await admin.get('/api/admin/holds')).body.items[0].account.exists, false)
  await admin.post(`/api/admin/holds/${id}/lift`, { reason: 'The order was quashed.' })
  assert.ok((await admin.get('/api/admin/holds')).body.items.every((one: { id: string }) => one.id !== id))
  assert.equal((await admin.get('/api/admin/holds?state=ended')).body.items[0].id, id)
  const entries = (await admin.get('/api/admin/audit-log?limit=100')).body.items.filter(
    ({ subject_id }: { subject_id: string }) => subject_id === id,
  )
  assert.deepEqual(
    entries.map((entry: { action: string; subject: string; reason: string; actor_email: string }) => [
      entry.action,
      entry.subject,
      entry.reason,
      entry.actor_email,
    ]),
    [
      ['hold_lifted', 'y•••@•••.com', 'The order was quashed.', admin.email],
      ['hold_exported', 'y•••@•••.com', null, null],
      ['hold_extended', 'y•••@•••.com', 'The court extended it.', admin.email],
      ['hold_placed', 'y•••@•••.com', 'Production order of the court.', admin.email],
    ],
  )
})

test('each wrong field is named, and nothing is held', async () => {
  const person = await app.user()
  const count = async () => (await db`select from holds`).length
  const before = await count()
  for (const [path, body, field] of [
    ['account', { email: 'nobody@example.com' }, 'email'],
    ['account', { email: 'x' }, 'email'],
    ['account', { email: person.email, reason: ' ' }, 'reason'],
    ['account', { email: person.email, reason: 'x'.repeat(1_001) }, 'reason'],
    ['account', { email: person.email, reference: '' }, 'reference'],
    ['account', { email: person.email, ends_on: dayFromNow(-2) }, 'ends_on'],
    ['account', { email: person.email, ends_on: dayFromNow(370) }, 'ends_on'],
    ['account', { email: person.email, ends_on: 'soon' }, 'ends_on'],
    ['plate', { plate: 'TOO LONG A PLATE', province: 'Ontario' }, 'plate'],
    ['plate', { plate: 'ABC123', province: 'Maine' }, 'province'],
  ] as const) {
    const { status, body: response } = await admin.post(`/api/admin/holds/${path}`, terms(body))
    assert.deepEqual([status, Object.keys(response.fields ?? {})], [400, [field]], JSON.stringify(body))
  }
  assert.equal(await count(), before)
  const french = await admin.post('/api/admin/holds/account', terms({ email: 'nobody@example.com' }), {
    'accept-language': 'fr-CA',
  })
  assert.equal(french.body.fields.email, 'Aucun compte n’a cette adresse.')
})

test('the command lists what is in force, and refuses what it does not know in one line', async () => {
  const env = { DATABASE_URL: app.database.url, DATA_DIR: app.config.DATA_DIR }
  const person = await app.user()
  const id = await holdAccount(person)
  const { code, out } = await runCommand('cli/hold.ts', ['list'], env)
  assert.equal(code, 0)
  assert.ok(out.includes(`${id}  until`) && out.includes(person.email) && out.includes('SPVM 24-1187'), out)
  for (const args of [
    [],
    ['export'],
    ['export', 'x', 'y'],
    ['export', person.id, join(folder, 'none')],
    ['list', 'x'],
  ]) {
    const { code: failed, err } = await runCommand('cli/hold.ts', args, env)
    assert.deepEqual([failed, err.trim().split('\n').length], [1, 1], err)
  }
})

test('an export that cannot be written says why, leaves nothing decrypted, and is recorded only once something was read', async () => {
  const env = { DATABASE_URL: app.database.url, DATA_DIR: app.config.DATA_DIR }
  const id = await holdAccount(await app.user())
  const exports = async () => {
    const [row] = await db`select count(*)::int from audit_log where action = 'hold_exported' and subject_id = ${id}`
    return row?.['count']
  }
  const refusals: [path: string, line: RegExp][] = [
    [folder, /is there already: name a new folder/],
    [join(folder, 'nowhere', 'export'), /has no folder above it: make that first/],
    [join(import.meta.filename, 'export'), /has a file above it: correct the path/],
  ]
  for (const [path, line] of refusals) {
    const { code, err } = await runCommand('cli/hold.ts', ['export', id, path], env)
    assert.deepEqual([code, err.trim().split('\n').length], [1, 1], err)
    assert.match(err, line)
  }
  assert.equal(await exports(), 0)

  const target = join(folder, 'unwritten')
  const program = [process.execPath, join(import.meta.dirname, '../cli/hold.ts'), 'export', id, target]
  // files of no length at all are what a full disk has room for
  const full = spawn('sh', ['-c', 'ulimit -f 0; exec "$@"', 'sh', ...program], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const [err, [code]] = await Promise.all([text(full.stderr), once(full, 'close')])
  assert.equal(code, 1)
  assert.match(err, /^\S+unwritten cannot be written \(EFBIG\): name a folder .*\n$/)
  assert.equal(existsSync(target), false)
  assert.equal(await exports(), 1)
  await exported(id)
})
