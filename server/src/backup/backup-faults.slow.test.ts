import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { openDiskStore } from '../files/disk-store.ts'
import { type Person, type TestApp, testApp } from '../test/app.ts'
import { temporaryFolder } from '../test/closing.ts'
import { openTestPool } from '../test/database.ts'
import { createAdmin } from '../test/disputes.ts'
import { eventually } from '../test/eventually.ts'
import { AWS_VARIABLES, startFakeS3 } from '../test/fake-s3.ts'
import { runCommand, spawnCommand } from '../test/product.ts'
import { createEmptyDatabase } from '../test/restore-targets.ts'
import { drawPng, uploadImage } from '../test/upload.ts'
import { createKeyFile } from './age.ts'

// A backup that does not succeed says why in one line, and is known on /admin/system even when it was killed.

const MASTER_KEY = randomBytes(32).toString('base64')
const folder = temporaryFolder('platenote-backup-faults-')
const s3 = await startFakeS3()
let app: TestApp
let admin: Person
let settings: Record<string, string>

before(async () => {
  app = await testApp({ settings: { MASTER_KEY, ROLE: 'web', STORAGE_URL: s3.storageUrl('faults') } })
  admin = await createAdmin(app)
  const photo = await drawPng()
  for (let count = 0; count < 3; count++) assert.equal((await uploadImage(await app.user(), photo)).status, 201)
  settings = { ...AWS_VARIABLES, MASTER_KEY, DATABASE_URL: app.database.url, STORAGE_URL: s3.storageUrl('faults') }
})
after(() => s3.close())

const backUp = (name: string, changes: Record<string, string> = {}) =>
  runCommand('backup', [join(folder, name)], { ...settings, ...changes })
const warnings = async () => {
  const { body } = await admin.get('/api/admin/health')
  return body.warnings.map(({ code }: { code: string }) => code).filter((code: string) => code.startsWith('backup'))
}

test('a backup that is killed, encrypted or not, is a failed one at once and no backup; one that runs is not', async () => {
  assert.equal((await backUp('good')).err, '')
  const recipient = await createKeyFile(join(folder, 'key'))
  for (const BACKUP_RECIPIENTS of ['', recipient]) {
    assert.deepEqual(await warnings(), [])
    const name = `killed-${BACKUP_RECIPIENTS.slice(0, 4)}`
    const target = join(folder, name)
    await app.db.begin(async (tx) => {
      await tx`lock table vehicles in access exclusive mode` // the backup waits for it
      const killed = spawnCommand('backup', [target], { ...settings, BACKUP_RECIPIENTS })
      await eventually(async () => {
        const begun = existsSync(join(target, 'database')) ? readdirSync(join(target, 'database')) : []
        return begun.some((file) => file.startsWith('public.vehicle_invitations.')) ? true : undefined
      })
      assert.deepEqual(await warnings(), [])
      await killed.stop('SIGKILL')
    })
    await eventually(async () => ((await warnings()).length > 0 ? true : undefined))
    assert.deepEqual(await warnings(), ['backup_failed'])
    const left = readdirSync(target, { recursive: true, encoding: 'utf8' }).filter((path) => path.includes('.'))
    assert.ok(left.includes('SHA256SUMS.draft') && left.length > 40, left.join())
    if (BACKUP_RECIPIENTS !== '')
      for (const path of left.filter((file) => file !== 'SHA256SUMS.draft'))
        assert.match(readFileSync(join(target, path), 'latin1'), /^age-encryption\.org\/v1\n|^$/, path)
    const verified = await runCommand('backup', ['--verify', target], settings)
    assert.match(
      verified.err,
      /has no SHA256SUMS: it is no backup of PlateNote, or one that did not come to its end\.\n$/,
    )
    assert.match(
      (await backUp(name)).err,
      /has a backup that did not come to its end, or that still runs\. Delete this/,
    )
    assert.equal((await backUp(`better-${name}`, { BACKUP_RECIPIENTS })).err, '')
  }
  assert.deepEqual(await warnings(), [])
})

test('a store that cannot be read is said in one line, and recorded', async () => {
  s3.deniedMethod = 'GET'
  const { code, err } = await backUp('denied')
  s3.deniedMethod = undefined
  assert.equal(
    err,
    'The store of photos cannot be read (AccessDenied): platenote doctor says more. Then run the command again.\n',
  )
  assert.equal(code, 1)
  assert.deepEqual(await warnings(), ['backup_failed'])
})

test('files that the store has lost are named, and everything else is backed up, verified and restored', async () => {
  const photos = [...s3.objects.keys()].filter((path) => path.startsWith('/faults/'))
  assert.equal(photos.length, 3)
  const taken = new Map(s3.objects)
  const lost = photos.slice(1).map((path) => path.replace('/faults/', ''))
  for (const name of lost) s3.objects.delete(`/faults/${name}`)
  const line =
    'WARNING: the store of photos had lost 2 of the 3 files that the database names. They are not in the backup:'
  const said = [line, ...lost.sort().map((name) => `  ${name}`), ''].join('\n')

  const made = await backUp('lossy')
  assert.deepEqual([made.code, made.err], [3, said])
  assert.match(made.out, /^Backed up \d+ rows of \d+ tables and 1 files/)
  assert.deepEqual(await warnings(), [])
  const [run] = await app.db`select ok, detail from operations_runs order by started_at desc limit 1`
  assert.deepEqual({ ...run }, { ok: true, detail: 'the store had lost 2 files' })

  const verified = await runCommand('backup', ['--verify', join(folder, 'lossy')], settings)
  assert.deepEqual([verified.code, verified.err], [0, said])
  assert.match(verified.out, /is whole: \d+ tables, 1 files/)

  const { db, url } = await createEmptyDatabase()
  await db.end()
  const STORAGE_URL = s3.storageUrl('lossy')
  const restored = await runCommand('restore', [join(folder, 'lossy')], {
    ...settings,
    DATABASE_URL: url,
    STORAGE_URL,
  })
  assert.deepEqual([restored.code, restored.err], [0, said])
  const found = [...s3.objects.keys()].filter((path) => path.startsWith('/lossy/'))
  assert.deepEqual(found, [photos[0]!.replace('/faults/', '/lossy/')])
  const again = openTestPool(url, 1)
  assert.equal((await again`select from attachments`).length, 3)
  await again.end()
  for (const [path, bytes] of taken) s3.objects.set(path, bytes)
})

test('a store without any of the files is most likely another one: that backup counts as failed', async () => {
  const { code, err } = await backUp('elsewhere', { STORAGE_URL: s3.storageUrl('elsewhere') })
  assert.equal(code, 3)
  assert.match(
    err,
    /^WARNING: the store of photos had lost 3 of the 3 files [\s\S]*\nNot one was there: check STORAGE_URL and DATA_DIR\.\n$/,
  )
  assert.deepEqual(await warnings(), ['backup_failed'])
  assert.equal((await backUp('here')).code, 0)
  assert.deepEqual(await warnings(), [])
})

test('a backup that failed leaves nothing behind, and can be tried again in its folder', async () => {
  const given = join(folder, 'given')
  mkdirSync(given)
  for (const name of ['retried', 'given']) {
    s3.deniedMethod = 'GET'
    assert.equal((await backUp(name)).code, 1)
    s3.deniedMethod = undefined
    assert.equal(existsSync(join(folder, name)), name === 'given')
    assert.deepEqual(await backUp(name).then(({ code, err }) => [code, err]), [0, ''])
  }
  // nor does it take away what is not its own
  writeFileSync(join(folder, 'retried', 'notes.txt'), 'mine')
  assert.equal((await backUp('retried')).code, 1)
  assert.ok(existsSync(join(folder, 'retried', 'backup.json')) && existsSync(join(folder, 'retried', 'notes.txt')))
})

test('a database that does not answer is said in one line, and an empty one is nothing to back up', async () => {
  const away = await backUp('away', { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' })
  assert.match(away.err, /^the database at 127\.0\.0\.1:1 cannot be reached \(ECONNREFUSED\): start it, [^\n]*\n$/)
  const { db, url } = await createEmptyDatabase()
  const empty = await backUp('empty', { DATABASE_URL: url })
  assert.equal(empty.err, 'The database is empty: there is nothing to back up. Check DATABASE_URL and DATA_DIR.\n')
  const [tables] = await db`select count(*)::int as count from pg_class where relnamespace = 'public'::regnamespace`
  assert.equal(tables!['count'], 0)
  await db.end()
  for (const name of ['away', 'empty']) assert.ok(!existsSync(join(folder, name)))
})

// A drill with the settings of production but for the database: its worker would delete photos of production, and rewrite the
// journal of deletions from its own table.

/** Restores the first backup as `platenote restore …` does, into an empty database. */
async function restoreInto(STORAGE_URL: string, ...options: string[]) {
  const { db, url } = await createEmptyDatabase()
  await db.end()
  const env = { ...settings, DATABASE_URL: url, STORAGE_URL }
  const { code, err } = await runCommand('restore', [...options, join(folder, 'good')], env)
  return { code, err }
}
const journal = `deletions-${new Date().toISOString().slice(0, 10)}.json`

test('an empty database does not take over a store that is used, unless it is told to', async () => {
  s3.objects.set(`/journal-only/${journal}`, Buffer.from('[]'))
  const before = new Map(s3.objects)
  for (const [bucket, ...options] of [['faults'], ['faults', '--force'], ['journal-only']] as [string, ...string[]][]) {
    const refused = await restoreInto(s3.storageUrl(bucket), ...options)
    assert.equal(refused.code, 1)
    assert.match(refused.err, /^The database is empty, and the store of photos has been used before\. [^\n]+\n$/)
  }
  assert.deepEqual(s3.objects, before)
  assert.deepEqual(await restoreInto(s3.storageUrl('faults'), '--take-over-store'), { code: 0, err: '' })
})

test('a store of its own needs no word, nor does the journal of a lost one', async () => {
  assert.deepEqual(await restoreInto(s3.storageUrl('own')), { code: 0, err: '' })
  const lost = await openDiskStore(join(folder, 'lost'))
  await lost.put(journal, Buffer.from('[]'))
  const named = await restoreInto(s3.storageUrl('another'), '--deletions', join(folder, 'lost'))
  assert.deepEqual(named, { code: 0, err: '' })
})
