import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { readMigrations } from '../db/schema-files.ts'
import { createMasterKeys } from '../encryption/envelope-encryption.ts'
import { testApp } from '../test/app.ts'
import { makeOldestTables } from '../test/older-database.ts'
import { runCommand } from '../test/product.ts'
import { createEmptyDatabase } from '../test/restore-targets.ts'
import { restoreBackup } from './restore-backup.ts'
import { verifyBackup } from './verify-backup.ts'

// Restoring into an installation of a newer release.

const MASTER_KEY = randomBytes(32).toString('base64')
const keys = createMasterKeys(MASTER_KEY, [])
const folder = mkdtempSync(join(tmpdir(), 'platenote-restore-'))
after(() => rmSync(folder, { recursive: true, force: true }))

test('a backup of an older release is brought up to date: people sign in, and newer features find what they need', async () => {
  const now = await testApp({ settings: { MASTER_KEY } })
  const owner = await now.user()
  const { id } = await now.vehicle(owner, { plate: 'OLDER1' })
  const old = await createEmptyDatabase()
  await makeOldestTables(old.db)
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
  const made = await runCommand('backup', [source], settings)
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
