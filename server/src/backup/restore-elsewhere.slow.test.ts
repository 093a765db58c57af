import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { loadConfig } from '../config.ts'
import { readMigrations } from '../db/migrate.ts'
import { createMasterKeys } from '../encryption/envelope-encryption.ts'
import { openFileStore } from '../files/open-file-store.ts'
import { PASSWORD, testApp } from '../test/app.ts'
import { createAdmin } from '../test/disputes.ts'
import { startDispute } from '../test/documents.ts'
import { startFakeS3 } from '../test/fake-s3.ts'
import { pdfWith } from '../test/pdf-bytes.ts'
import { runCommand } from '../test/product.ts'
import { createEmptyDatabase } from '../test/restore-targets.ts'
import { uploadDocument } from '../test/upload.ts'
import { makeBackup } from './make-backup.ts'
import { restoreBackup } from './restore-backup.ts'
import { verifyBackup } from './verify-backup.ts'

// Restoring into another installation than the one the backup came from: a bucket, a newer release.

const MASTER_KEY = randomBytes(32).toString('base64')
const keys = createMasterKeys(MASTER_KEY, [])
const folder = mkdtempSync(join(tmpdir(), 'platenote-restore-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const s3 = await startFakeS3()
after(() => s3.close())

test('documents of a dispute come back from one bucket into another, and the admin who decides opens them', async () => {
  const app = await testApp({ settings: { MASTER_KEY, STORAGE_URL: s3.storageUrl('before') } })
  const admin = await createAdmin(app)
  const { challenger, vehicles } = await startDispute(app, 'CLOUD1')
  const pdf = pdfWith('a registration')
  const upload = { type: 'application/pdf', name: 'registration.pdf' }
  assert.equal((await uploadDocument(challenger, vehicles.challenger.id, pdf, upload)).status, 201)
  const [document] = (await challenger.get(`/api/vehicles/${vehicles.challenger.id}/documents`)).body.items
  const source = join(folder, 'cloud')
  const { files } = await makeBackup({ db: app.db, files: app.context.files, version: '0.2.0' }, source)
  assert.equal(files.count, 1)

  const target = await createEmptyDatabase()
  const settings = { MASTER_KEY, STORAGE_URL: s3.storageUrl('after') }
  await restoreBackup({ db: target.db, files: await openFileStore(loadConfig(settings)), keys }, source)
  await target.db.end()
  const objects = (bucket: string) =>
    [...s3.objects].filter(([path]) => path.startsWith(`/${bucket}/`) && path.endsWith('.sealed'))
  assert.deepEqual(
    objects('after').map(([path, bytes]) => [path.replace('/after/', '/before/'), bytes]),
    objects('before'),
  )
  const restored = await testApp({ settings, sibling: { config: app.config, database: target.database } })
  const { token } = await restored.signIn(admin.email, PASSWORD)
  const opened = await fetch(`${restored.url}/api/admin/documents/${document.id}/open`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  })
  assert.equal(opened.status, 200)
  assert.deepEqual(Buffer.from(await opened.arrayBuffer()), pdf)
  await restored.close()
  await app.close()
})

test('a backup of an older release is brought up to date: people sign in, and newer features find what they need', async () => {
  const now = await testApp({ settings: { MASTER_KEY } })
  const owner = await now.user()
  const { id } = await now.vehicle(owner, { plate: 'OLDER1' })
  const old = await createEmptyDatabase()
  await old.db`
    create table schema_migrations (
      number integer primary key, name text not null, sha256 text not null, applied_at timestamptz not null default now())`
  // the release before the journal of deletions and the weekly counts
  for (const { number, name, sql, sha256 } of readMigrations().filter((migration) => migration.number < 56)) {
    await old.db.unsafe(sql)
    await old.db`insert into schema_migrations (number, name, sha256) values (${number}, ${name}, ${sha256})`
  }
  for (const table of ['encryption_keys', 'auth.users', 'vehicles']) {
    const [{ columns }] = await old.db.unsafe<[{ columns: string }]>(`
      select string_agg(quote_ident(attname), ', ') as columns from pg_attribute
      where attrelid = '${table}'::regclass and attnum > 0 and not attisdropped and attgenerated = ''`)
    for (const { row } of await now.db.unsafe<{ row: object }[]>(`select to_jsonb(t) as row from ${table} t`))
      await old.db.unsafe(
        `insert into ${table} (${columns}) select ${columns} from jsonb_populate_record(null::${table}, $1::jsonb)`,
        [JSON.stringify(row)],
      )
  }
  const source = join(folder, 'older')
  // the backup of this build, before the upgrade: until the start of the new server there is a way back
  const settings = { DATABASE_URL: old.url, DATA_DIR: now.config.DATA_DIR, MASTER_KEY }
  const made = await runCommand('cli/backup.ts', [source], settings)
  assert.deepEqual([made.code, made.err], [0, ''])
  const [newest] = await old.db`select max(number) as number from schema_migrations`
  assert.equal(newest!['number'], 55)
  await verifyBackup(source, keys)
  await old.db.end()

  const target = await createEmptyDatabase()
  await restoreBackup({ db: target.db, files: now.context.files, keys }, source)
  const [applied] = await target.db`select count(*)::int as count from schema_migrations`
  assert.equal(applied!['count'], readMigrations().length)
  await target.db.end()
  const restored = await testApp({
    settings: { MASTER_KEY },
    sibling: { config: now.config, database: target.database },
  })
  const again = await restored.signIn(owner.email, owner.password)
  const { body } = await again.get('/api/vehicles')
  assert.deepEqual(
    body.items.map((vehicle: { id: string; plate: string }) => [vehicle.id, vehicle.plate]),
    [[id, 'OLDER1']],
  )
  await restored.close()
  await now.close()
})
