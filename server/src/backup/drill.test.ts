import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Db } from '../db/pool.ts'
import { createMasterKeys } from '../encryption/envelope-encryption.ts'
import { openDiskStore } from '../files/disk-store.ts'
import { type TestApp, testApp } from '../test/app.ts'
import { startFakePushService } from '../test/fake-push-service.ts'
import { createCast } from '../test/matrix/callers.ts'
import { createEmptyDatabaseToDrop } from '../test/restore-targets.ts'
import { makeBackup } from './make-backup.ts'
import { type FileEntry, type Manifest, tablePath } from './manifest.ts'
import { restoreBackup } from './restore-backup.ts'
import { readLines } from './table-files.ts'
import { readFileList } from './verify-backup.ts'

/** Rows for the tables that the cast of the matrix leaves empty. What they refer to is any of what there is. */
const ROWS: Record<string, string> = {
  'answer_links (token_hash, message_id, user_id, shows_text)':
    "select '\\x0d', m.id, v.user_id, true from messages m join vehicles v on v.id = m.vehicle_id limit 1",
  'auth.factor_challenges (id, factor_id, session_id, expires_at)':
    "select gen_random_uuid(), f.id, s.id, now() + interval '5 minutes' from auth.factors f join auth.sessions s using (user_id) limit 1",
  'auth.former_addresses (id, user_id, email, mailbox_hash)':
    "select gen_random_uuid(), id, 'former@example.com', '\\x01' from auth.users limit 1",
  'auth.email_codes (address_hash, code_hash, request_id, tries, expires_at)':
    "select '\\x0b', '\\x0c', id, 1, now() + interval '10 minutes' from auth.link_requests limit 1",
  'auth.link_request_queue (id, email, call, locale)': "values (gen_random_uuid(), 'late@example.com', 'otp', 'fr-CA')",
  'auth.mailbox_people (mailbox_hash, person_hash)': "values ('\\x0102', '\\x03')",
  'auth.sign_ups (id, user_id, encrypted_password, user_metadata)': `select gen_random_uuid(), id, 'none', '{"full_name": "Zoé \\"Z\\" 🚗"}' from auth.users limit 1`,
  'collision_cards (id, message_hash, key_envelope, card_box)': "values (gen_random_uuid(), '\\x04', '\\x05', '\\x06')",
  'collision_photos (card_id, place, photo_box)': "select id, 1, '\\x07' from collision_cards limit 1",
  'collisions_to_forget (message_id)': 'values (gen_random_uuid())',
  'consents (id, user_id, version, locale, age_ok)':
    "select gen_random_uuid(), id, '2026-01-01', 'en', true from auth.users limit 1",
  'contact_submissions (id, name_encrypted, email_encrypted, subject, message_encrypted, locale)':
    "values (gen_random_uuid(), '\\x08', '\\x09', 'partnership', '\\x0a', 'en')",
  'files_to_delete (name)': "values ('gone-with-its-message')",
  'driver_messages (driver_id, message_id)': 'select d.id, m.id from vehicle_drivers d, messages m limit 1',
  'job_runs (name, every_s, started_at)': "values ('deleting what is over', 3600, now())",
  'operations_runs (name, started_at)': "values ('backup', now())",
  'receipt_pushes (id, receipt_id, endpoint, p256dh, auth, receipt_encrypted)':
    "select gen_random_uuid(), id, 'https://push.example', 'k', 'a', '\\x0c' from receipts limit 1",
  'weekly_counts (starts_on, registrations, messages, reports)': "values ('2026-01-05', 1, 2, 3)",
}

/** Writes a row into every table that `createCast` leaves empty, so that a comparison of tables compares something. */
async function fillRest(db: Db): Promise<void> {
  for (const [table, rows] of Object.entries(ROWS)) await db.unsafe(`insert into ${table} ${rows}`)
}

// The drill: an installation in which every table has rows is backed up and restored, and compared row by row. A developer
// who adds a table puts a row into it, here or in the cast of the matrix.

const MASTER_KEY = randomBytes(32).toString('base64')
const folder = mkdtempSync(join(tmpdir(), 'platenote-drill-'))
const [first, second] = [join(folder, 'first'), join(folder, 'second')]
const service = await startFakePushService()
let app: TestApp
let target: Awaited<ReturnType<typeof createEmptyDatabaseToDrop>>
let manifests: [before: Manifest, after: Manifest]
const DATA_DIR = join(folder, 'target')

before(async () => {
  app = await testApp({ settings: { MASTER_KEY, ROLE: 'web', PUSH_HOSTS: service.origin } })
  await createCast(app, service)
  // U+2028 and U+2029 end lines elsewhere, and stand in JSON as they are
  await app.user({ full_name: 'a\u2028b\u2029c' })
  target = await createEmptyDatabaseToDrop()
  await fillRest(app.db)
  const made = await makeBackup({ db: app.db, files: app.context.files, version: '0.3.0' }, first)
  const files = await openDiskStore(join(DATA_DIR, 'attachments'))
  await restoreBackup({ db: target.db, files, keys: createMasterKeys(MASTER_KEY, []) }, first)
  manifests = [made, await makeBackup({ db: target.db, files, version: '0.3.0' }, second)]
  await target.db.end()
})
after(async () => {
  await service.close()
  await target.drop()
  rmSync(folder, { recursive: true, force: true })
})

type Row = Record<string, unknown>
async function readRows(backup: string, table: string): Promise<Row[]> {
  const rows: Row[] = []
  for await (const line of readLines(tablePath(backup, table))) rows.push(JSON.parse(line) as Row)
  return rows
}
const without = (row: Row, names: string[]) =>
  Object.fromEntries(Object.entries(row).filter(([n]) => !names.includes(n)))
const isWaiting = ({ sent_at, failed_at }: Row) => sent_at === null && failed_at === null

const isEmptied = (_: Row[], now: Row[]) => assert.deepEqual(now, [])
/** The tables that a restore changes on purpose, and how. */
const CHANGED: Record<string, (then: Row[], now: Row[]) => void> = {
  // sessions end, with what belongs to them
  'auth.sessions': isEmptied,
  'auth.refresh_tokens': isEmptied,
  'auth.session_uses': isEmptied,
  'auth.factor_challenges': isEmptied,
  'public.push_subscriptions': isEmptied,
  'auth.users': (then, now) => {
    const [before, after] = [then, now].map((rows) => rows.map((row) => without(row, ['signed_out_at'])))
    assert.deepEqual(after, before)
    assert.ok(now.some(({ signed_out_at }) => signed_out_at !== null))
  },
  // so do links in emails
  'auth.link_requests': isEmptied,
  'auth.one_time_tokens': isEmptied,
  'auth.email_codes': isEmptied,
  'auth.events': (then, now) => {
    const known = new Set(then.map(({ id }) => id))
    assert.deepEqual(
      now.filter(({ id }) => known.has(id)),
      then,
    )
    for (const event of now.filter(({ id }) => !known.has(id))) assert.equal(event['type'], 'session_ended')
  },
  'public.outbox': (then, now) => {
    const settled = ['lease_token', 'held', 'sent_at', 'failed_at', 'last_error']
    assert.ok(then.some(isWaiting) && then.some((row) => !isWaiting(row)))
    for (const [index, row] of now.entries()) {
      const before = then[index]!
      assert.deepEqual(
        isWaiting(before) ? without(row, settled) : row,
        isWaiting(before) ? without(before, settled) : before,
      )
      assert.ok(!isWaiting(row))
    }
    assert.equal(now.length, then.length)
  },
  // the run of the backup had no end yet
  'public.operations_runs': (then, now) => {
    const end = { ended_at: manifests[0].finishedAt, ok: true }
    assert.deepEqual(
      now.map((row) => ({ ...row, ended_at: new Date(String(row['ended_at'])).toISOString() })),
      then.map((row) => ({ ...row, ...end })),
    )
  },
  // all of them are copied into the new store
  'public.deletions': (then, now) =>
    assert.deepEqual(
      now,
      then.map((row) => ({ ...row, is_copied: false })),
    ),
}

test('every table has rows', () => {
  assert.deepEqual(
    manifests[0].tables.filter(({ rows }) => rows === 0).map(({ name }) => name),
    [],
  )
})

test('every table has the same rows again, but for what a restore changes', async () => {
  const [then, now] = manifests.map(({ tables }) => tables.filter(({ name }) => !(name in CHANGED))) as [
    Manifest['tables'],
    Manifest['tables'],
  ]
  const sums = (tables: Manifest['tables']) => tables.map(({ name, rows, rowsSha256 }) => [name, rows, rowsSha256])
  assert.deepEqual(sums(now), sums(then))
  for (const [table, compare] of Object.entries(CHANGED))
    compare(await readRows(first, table), await readRows(second, table))
})

test('every photo and document has the same content', async () => {
  const list = async (backup: string) => {
    const entries: FileEntry[] = []
    for await (const entry of readFileList(backup)) entries.push(entry)
    return entries.sort((a, b) => a.name.localeCompare(b.name))
  }
  const entries = await list(first)
  assert.ok(entries.some(({ name }) => name.endsWith('.webp')) && entries.some(({ name }) => name.endsWith('.sealed')))
  assert.deepEqual(await list(second), entries)
})
