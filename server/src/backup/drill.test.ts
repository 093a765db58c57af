import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import {
  appendFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import type { Db } from '../db/pool.ts'
import { createMasterKeys } from '../encryption/envelope-encryption.ts'
import { openDiskStore } from '../files/disk-store.ts'
import { type TestApp, testApp } from '../test/app.ts'
import { temporaryFolder } from '../test/closing.ts'
import { startFakePushService } from '../test/fake-push-service.ts'
import { createCast } from '../test/matrix/callers.ts'
import { createEmptyDatabaseToDrop, rewrite } from '../test/restore-targets.ts'
import { createKeyFile, encryptTo, type Identity, readIdentity } from './age.ts'
import { type Backup, filePath, listFiles, openBackup, readContent, tablePath } from './backup-files.ts'
import { makeBackup } from './make-backup.ts'
import { BackupError, type Manifest } from './manifest.ts'
import { restoreBackup } from './restore-backup.ts'
import { readRows } from './table-files.ts'
import { verifyBackup } from './verify-backup.ts'

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
  'unreachable_addresses (user_id, reason)': "select id, '5.1.1' from auth.users limit 1",
  'weekly_counts (starts_on, registrations, messages, reports)': "values ('2026-01-05', 1, 2, 3)",
}

/** Writes a row into every table that `createCast` leaves empty, so that a comparison of tables compares something. */
async function fillRest(db: Db): Promise<void> {
  for (const [table, rows] of Object.entries(ROWS)) await db.unsafe(`insert into ${table} ${rows}`)
}

// The drill: an installation in which every table has rows is backed up encrypted, restored, backed up again, and compared row by row;
// and everything that can be wrong with an encrypted backup is said. A developer
// who adds a table puts a row into it, here or in the cast of the matrix.

const MASTER_KEY = randomBytes(32).toString('base64')
const KEYS = createMasterKeys(MASTER_KEY, [])
const folder = temporaryFolder('platenote-drill-')
const keyFile = join(folder, 'key')
const [first, second] = [join(folder, 'first'), join(folder, 'second')]
const service = await startFakePushService()
let app: TestApp
let target: Awaited<ReturnType<typeof createEmptyDatabaseToDrop>>
let manifests: [before: Manifest, after: Manifest]
let backups: [before: Backup, after: Backup]
let [recipients, identity]: [string[], Identity | undefined] = [[], undefined]
const DATA_DIR = join(folder, 'target')

before(async () => {
  app = await testApp({ settings: { MASTER_KEY, ROLE: 'web', PUSH_HOSTS: service.origin } })
  await createCast(app, service)
  // U+2028 and U+2029 end lines elsewhere, and stand in JSON as they are
  await app.user({ full_name: 'a\u2028b\u2029c' })
  target = await createEmptyDatabaseToDrop()
  await fillRest(app.db)
  recipients = [await createKeyFile(join(folder, 'other-key')), await createKeyFile(keyFile)]
  const made = await makeBackup({ db: app.db, files: app.context.files, version: '0.3.0', recipients }, first)
  identity = readIdentity(keyFile)
  const files = await openDiskStore(join(DATA_DIR, 'attachments'))
  await restoreBackup({ db: target.db, files, keys: KEYS }, first, { identity })
  manifests = [made, await makeBackup({ db: target.db, files, version: '0.3.0', recipients }, second)]
  backups = [(await openBackup(first, identity)) as Backup, (await openBackup(second, identity)) as Backup]
  await target.db.end()
})
after(async () => {
  await service.close()
  await target.drop()
})

type Row = Record<string, unknown>
async function readTable(backup: Backup, table: string): Promise<Row[]> {
  const rows: Row[] = []
  for await (const line of readRows(readContent(backup, tablePath(table)))) rows.push(JSON.parse(line) as Row)
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
  assert.deepEqual(
    manifests[1].tables.map(({ name, columns }) => [name, columns]),
    manifests[0].tables.map(({ name, columns }) => [name, columns]),
  )
  for (const { name } of manifests[0].tables) {
    const [then, now] = [await readTable(backups[0], name), await readTable(backups[1], name)]
    const compare = CHANGED[name] ?? ((before, after) => assert.deepEqual(after, before, name))
    compare(then, now)
  }
})

test('every photo and document has the same content', async () => {
  const [then, now] = await Promise.all(
    backups.map((backup) => Readable.from(listFiles(backup)).toArray() as Promise<string[]>),
  )
  assert.ok(then!.some((name) => name.endsWith('.webp')) && then!.some((name) => name.endsWith('.sealed')))
  assert.deepEqual(now!.toSorted(), then!.toSorted())
  for (const name of then!) {
    const [before, after] = await Promise.all(backups.map((backup) => buffer(readContent(backup, filePath(name)))))
    assert.deepEqual(after, before)
  }
})

/** Lists all texts in a value of a row. */
const textsIn = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : value && typeof value === 'object' ? Object.values(value).flatMap(textsIn) : []

test('no file of an encrypted backup, and no name of one, has anything of a row in it', async () => {
  const paths = readdirSync(first, { recursive: true, encoding: 'utf8' })
  const files = paths.filter((path) => statSync(join(first, path)).isFile())
  for (const path of files.filter((name) => name !== 'SHA256SUMS'))
    assert.match(readFileSync(join(first, path), 'latin1'), /^age-encryption\.org\/v1\n/, path)
  const everything = Buffer.concat([
    ...files.map((path) => readFileSync(join(first, path))),
    Buffer.from(paths.join('\n')),
  ])
  // random names of stored files
  const random = ['public.attachments', 'public.dispute_documents', 'public.files_to_delete']
  const tables = manifests[0].tables.filter(({ name }) => !random.includes(name))
  const rows = (await Promise.all(tables.map(({ name }) => readTable(backups[0], name)))).flat()
  const written = ['Somebody hit your car', 'Your lights are on', 'It was not me.']
  // words of ours, such as the name of a table; sums and random names have every short word
  const ours = `backup.json ${manifests[0].tables.map(({ name }) => name).join(' ')}`
  const stored = rows
    .flatMap(textsIn)
    .filter((text) => text.length > 5 && !ours.includes(text) && !/^[\da-f]+$/.test(text))
  const texts = new Set([...written, ...stored])
  const plates = (await readTable(backups[0], 'public.vehicles')).map(({ plate }) => String(plate))
  assert.ok(texts.has('former@example.com') && plates.some((plate) => texts.has(plate)) && texts.size > 100)
  for (const text of texts) assert.ok(!everything.includes(text), text)
})

const MESSAGES = 'database/public.messages.jsonl.gz.age'
const MANIFEST = 'backup.json.age'
const someFile = (copy: string) => {
  const files = readdirSync(join(copy, 'files'), { recursive: true, encoding: 'utf8' })
  return join(copy, 'files', files.find((path) => path.endsWith('.age'))!)
}
const flip = (file: string) => {
  const bytes = readFileSync(file)
  bytes[bytes.length - 20]! ^= 1
  writeFileSync(file, bytes)
}

/** The faults of an encrypted backup: what is said with its secret key, and without it unless that cannot be known. */
const FAULTS: [what: string, harm: (copy: string) => unknown, line: RegExp, needs?: 'the key'][] = [
  [
    'a file cut short',
    (copy) => truncateSync(someFile(copy), 180),
    /\.age is cut short: 180 of its \d+ bytes are there\. /,
  ],
  ['one cut in its first bytes', (copy) => truncateSync(someFile(copy), 9), /\.age is cut short: 9 of its \d+ bytes/],
  ['a missing file', (copy) => rmSync(someFile(copy)), /\.age is missing\. Take another backup/],
  [
    'a flipped byte',
    (copy) => flip(join(copy, MESSAGES)),
    /messages\.jsonl\.gz\.age was changed since it was written\. Copy/,
  ],
  [
    'one of the manifest',
    (copy) => flip(join(copy, MANIFEST)),
    /backup\.json\.age was changed since it was written\. Copy/,
  ],
  ['bytes too many', (copy) => appendFileSync(join(copy, MESSAGES), 'x'), /messages\.jsonl\.gz\.age was changed since/],
  [
    'a file of another backup in its place, of the same size',
    (copy) => {
      const [own, other] = [copy, second].map((backup) => join(backup, MESSAGES)) as [string, string]
      assert.equal(statSync(other).size, statSync(own).size)
      cpSync(other, own)
    },
    /messages\.jsonl\.gz\.age begins otherwise than the file that was written: one of another backup is in its place/,
  ],
  [
    'a shorter one',
    (copy) => cpSync(join(second, 'database/public.blocks.jsonl.gz.age'), join(copy, MESSAGES)),
    /messages\.jsonl\.gz\.age begins otherwise .* or its first bytes were changed\. Copy it again/,
  ],
  [
    'the same with its sum',
    (copy) => rewrite(copy, MESSAGES, readFileSync(join(second, MESSAGES))),
    /SHA256SUMS is not the list of this backup: files of another one are in their place\. Take another backup/,
    'the key',
  ],
  [
    'a manifest cut short, with its sum',
    (copy) => rewrite(copy, MANIFEST, readFileSync(join(copy, MANIFEST)).subarray(0, -1)),
    /backup\.json\.age was changed or cut short\. Take another backup/,
    'the key',
  ],
  [
    'other keys',
    async (copy) => {
      const encrypt = encryptTo([await createKeyFile(join(copy, 'key'))])
      rewrite(copy, MANIFEST, await buffer(encrypt([Buffer.from('{}')])))
    },
    /The key in \S+\/key does not open \S+backup\.json\.age, which was encrypted to other keys\. Name the file/,
    'the key',
  ],
]
const hasLine = (line: RegExp) => (error: unknown) =>
  error instanceof BackupError && line.test(error.message) && !error.message.includes('\n')

test('whether an encrypted backup is whole can be said without its key, and what is wrong is one line', async () => {
  const list = readFileSync(join(first, 'SHA256SUMS'), 'utf8').matchAll(/^[^#]/gm).toArray()
  assert.deepEqual(await verifyBackup(first, assert.fail), { manifest: null, count: list.length })
  assert.deepEqual((await verifyBackup(first, () => KEYS, identity)).manifest, manifests[0])
  for (const [index, [what, harm, line, needs]] of FAULTS.entries()) {
    const copy = join(folder, `harmed-${index}`)
    cpSync(first, copy, { recursive: true })
    await harm(copy)
    const withKey = verifyBackup(copy, () => KEYS, identity)
    await assert.rejects(withKey, hasLine(line), what)
    if (!needs) await assert.rejects(verifyBackup(copy, assert.fail), hasLine(line), what)
  }
  const restoring = restoreBackup({ db: app.db, files: app.context.files, keys: KEYS }, first, { force: true })
  await assert.rejects(
    restoring,
    hasLine(/^The backup is encrypted: name the file with its secret key, .* with --identity/),
  )
  assert.equal(
    (await app.db`select from auth.users`).length,
    manifests[0].tables.find(({ name }) => name === 'auth.users')!.rows,
  )
})

test('keys that are none are said before anything is written', async () => {
  const mistyped = `${recipients[0]!.slice(0, -1)}${recipients[0]!.endsWith('q') ? 'p' : 'q'}`
  const source = { db: app.db, files: app.context.files, version: '0.3.0', recipients: [...recipients, mistyped] }
  const line = new RegExp(`^BACKUP_RECIPIENTS has ${mistyped}, which is no public key of age\\. Correct it`)
  await assert.rejects(makeBackup(source, join(folder, 'mistyped')), hasLine(line))
  assert.ok(!existsSync(join(folder, 'mistyped')))
  assert.throws(
    () => readIdentity(join(folder, 'none')),
    hasLine(/none cannot be read \(ENOENT\): --identity names the file/),
  )
  assert.throws(
    () => readIdentity(join(first, 'SHA256SUMS')),
    hasLine(/has no secret key \(AGE-SECRET-KEY-…\), or a damaged/),
  )
  const before = readFileSync(keyFile, 'utf8')
  await assert.rejects(
    createKeyFile(keyFile),
    hasLine(/key exists, and may have a key that opens backups\. Name a new file/),
  )
  assert.deepEqual([readFileSync(keyFile, 'utf8'), statSync(keyFile).mode & 0o777], [before, 0o600])
})
