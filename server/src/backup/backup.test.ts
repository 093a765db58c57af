import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { openPool, type Pool } from '../db/pool.ts'
import { readMigrations } from '../db/schema-files.ts'
import { createMasterKeys } from '../encryption/envelope-encryption.ts'
import { openDiskStore } from '../files/disk-store.ts'
import type { FileStore } from '../files/file-store.ts'
import { getBackupFigures } from '../health/queries.ts'
import { type Person, type TestApp, testApp } from '../test/app.ts'
import { temporaryFolder } from '../test/closing.ts'
import { openTestPool } from '../test/database.ts'
import { startDatabaseProxy } from '../test/database-proxy.ts'
import { eventually } from '../test/eventually.ts'
import { fieldsOf } from '../test/fields.ts'
import { runCommand } from '../test/product.ts'
import { createEmptyDatabase, removeAccount, reseal, rewrite } from '../test/restore-targets.ts'
import { drawPng, uploadImage } from '../test/upload.ts'
import { createKeyFile, type Identity, readIdentity } from './age.ts'
import { openBackup } from './backup-files.ts'
import { copyDeletions } from './deletion-journal.ts'
import { makeBackup } from './make-backup.ts'
import { BackupError, type Manifest, sha256 } from './manifest.ts'
import { restoreBackup } from './restore-backup.ts'
import { verifyBackup } from './verify-backup.ts'

const MASTER_KEY = randomBytes(32).toString('base64')
const KEYS = createMasterKeys(MASTER_KEY, [])
const folder = temporaryFolder('platenote-backup-')
const backup = join(folder, 'backup')
const PHOTO = await drawPng()
let app: TestApp
let [anna, ben, chloe]: Person[] = []

/** Creates an empty target for a restore: a database without a table, and a store without a file. */
async function emptyTarget() {
  const dataDir = mkdtempSync(join(folder, 'target-'))
  return { ...(await createEmptyDatabase()), files: await openDiskStore(join(dataDir, 'attachments')), dataDir }
}

const restoreInto = (target: { db: Pool; files: FileStore }, from = backup, key?: Identity) =>
  restoreBackup({ ...target, keys: KEYS }, from, { identity: key })

const send = async (sender: Person, plate: string, body: object = {}) => {
  const { status, text } = await sender.post('/api/messages', { plate, content: 'Your lights are on.', ...body })
  assert.equal(status, 201, text)
}

before(async () => {
  app = await testApp({ settings: { MASTER_KEY } })
  anna = await app.user({ full_name: 'Anna' })
  ben = await app.user({ full_name: 'Ben "\\ é\n😀' })
  chloe = await app.user()
  await app.vehicle(anna!, { plate: 'ANNA1' })
  await app.vehicle(ben!, { plate: 'BEN1' })
  for (const plate of ['ANNA1', 'BEN1']) {
    const image = await uploadImage(chloe!, PHOTO)
    await send(chloe!, plate, { attachment_id: image.body.id })
  }
  await send(anna!, 'BEN1')
  await makeBackup({ db: app.db, files: app.context.files, version: '0.3.0' }, backup)
})

test('what was deleted since is deleted again: an account with all it had, a vehicle, a photo', async () => {
  // no jobs: one of them copies deletions, and while it does nobody else can
  const other = await testApp({ settings: { MASTER_KEY, ROLE: 'web' } })
  const owner = await other.user()
  const leaver = await other.user()
  const witness = await other.user()
  await other.vehicle(owner, { plate: 'STAYS1' })
  const vehicle = await other.vehicle(owner, { plate: 'GOES1' })
  await other.vehicle(leaver, { plate: 'LEAVES1' })
  for (const plate of ['STAYS1', 'LEAVES1']) {
    const image = await uploadImage(witness, PHOTO)
    await send(witness, plate, { attachment_id: image.body.id })
  }
  await send(leaver, 'STAYS1')
  const source = join(folder, 'before-deletions')
  const keyFile = join(folder, 'key')
  const recipients = [await createKeyFile(keyFile)]
  await makeBackup({ db: other.db, files: other.context.files, version: '0.3.0', recipients }, source)

  assert.equal((await leaver.post('/functions/v1/delete-user', { id: leaver.id })).status, 200)
  assert.equal((await owner.delete(`/api/vehicles/${vehicle.id}`)).status, 204)
  await copyDeletions(other.db, other.context.files)
  const survivors = await other.db`select id from messages order by id`

  // the database is lost, the store is not
  const target = await emptyTarget()
  const { deletions, journalDays } = await restoreInto(
    { ...target, files: other.context.files },
    source,
    readIdentity(keyFile),
  )
  assert.ok(deletions >= 2)
  assert.equal(journalDays, 1)
  const found = await target.db`
    select (select array_agg(plate order by plate) from vehicles) as plates,
      (select count(*)::int from auth.users where id = ${leaver.id}) as leavers,
      (select count(*)::int from messages where sender_id = ${leaver.id}) as signed,
      (select array_agg(id::text order by id) from messages) as messages`
  const messages = survivors.map(({ id }) => String(id))
  assert.deepEqual({ ...found[0] }, { plates: ['STAYS1'], leavers: 0, signed: 0, messages })
  await target.db.end()
  await other.close()
})

test('a backup of an older release is brought up to date', async () => {
  const target = await emptyTarget()
  const later = { number: 9999, name: '9999_later.sql', sha256: '', sql: 'alter table vehicles add later text' }
  await restoreBackup({ ...target, keys: KEYS }, backup, { migrations: [...readMigrations(), later] })
  const vehicles = await target.db`select plate, later from vehicles order by plate`
  assert.deepEqual(
    [...vehicles],
    [
      { plate: 'ANNA1', later: null },
      { plate: 'BEN1', later: null },
    ],
  )
  const [applied] = await target.db`select max(number) as number from schema_migrations`
  assert.deepEqual(applied, { number: 9999 })
  await target.db.end()
})

describe('what is wrong is said in one line, and nothing is restored', () => {
  const FAULTS: [what: string, harm: (copy: string) => void, line: RegExp][] = [
    [
      'a truncated table',
      (copy) => truncateSync(join(copy, 'database/public.messages.jsonl.gz'), 40),
      /public\.messages\.jsonl\.gz is cut short: 40 of its \d+ bytes are there\. Copy it again/,
    ],
    ['a missing photo', (copy) => rmSync(firstFile(copy)), /is missing\. Take another backup/],
    [
      'rows of a table that are not as many as it says',
      (copy) => reseal(copy, ({ tables }) => void tables.find(({ name }) => name === 'auth.users')!.rows++),
      /auth\.users\.jsonl\.gz has 3 lines instead of 4\. Take another backup/,
    ],
    ['an altered list', (copy) => appendFileSync(join(copy, 'SHA256SUMS'), 'x'), /SHA256SUMS was changed/],
    [
      'an altered manifest',
      (copy) => edit(copy, (text) => text.replace('"tables"', '"Tables"')),
      /backup\.json was changed since it was written\. Copy it again/,
    ],
    [
      'no list',
      (copy) => rmSync(join(copy, 'SHA256SUMS')),
      /it is no backup of PlateNote, or one that did not come to its end/,
    ],
    // a folder in its place, because no right stops root
    [
      'a manifest that cannot be read',
      (copy) => replaceByFolder(join(copy, 'backup.json')),
      /backup\.json cannot be read \(EISDIR\)\. Give this account the right to read the backup, or look after its disk/,
    ],
    [
      'a manifest of another version',
      (copy) => rewrite(copy, 'backup.json', '{"format":3}'),
      /backup\.json was changed, or a newer version of PlateNote made it/,
    ],
    [
      'a newer schema',
      (copy) => reseal(copy, addMigration),
      /has migration 9999_future\.sql, which this version does not know/,
    ],
    ['another schema', (copy) => reseal(copy, changeMigration), /has another migration 0001_schema\.sql/],
  ]
  const firstFile = (copy: string) => {
    const files = readdirSync(join(copy, 'files'), { recursive: true, withFileTypes: true })
    const file = files.find((entry) => entry.isFile())!
    return join(file.parentPath, file.name)
  }
  const replaceByFolder = (file: string) => {
    rmSync(file)
    mkdirSync(file)
  }
  const edit = (copy: string, change: (text: string) => string) =>
    writeFileSync(join(copy, 'backup.json'), change(readFileSync(join(copy, 'backup.json'), 'utf8')))
  const addMigration = ({ migrations }: Manifest) =>
    void migrations.push({ number: 9999, name: '9999_future.sql', sha256: sha256('') })
  const changeMigration = ({ migrations }: Manifest) => {
    migrations[0]!.sha256 = sha256('')
  }

  const hasLine = (line: RegExp) => (error: unknown) => {
    assert.ok(error instanceof BackupError, String(error))
    assert.match(error.message, line)
    return !error.message.includes('\n')
  }

  /** Asserts that a restore writes neither a table nor a file. */
  async function assertNothingRestored(from: string, expected: RegExp) {
    const target = await emptyTarget()
    await assert.rejects(restoreInto(target, from), expected)
    assert.equal((await target.db`select from pg_class where relnamespace = 'public'::regnamespace`).length, 0)
    const stored = readdirSync(join(target.dataDir, 'attachments'), { recursive: true, withFileTypes: true })
    assert.deepEqual(
      stored.filter((entry) => entry.isFile()),
      [],
    )
    await target.db.end()
  }

  for (const [index, [what, harm, line]] of FAULTS.entries()) {
    test(what, async () => {
      const copy = join(folder, `harmed-${index}`)
      cpSync(backup, copy, { recursive: true })
      harm(copy)
      // a schema is compared with the database's by a restore only, which verifies the rest before
      if (what.endsWith('schema') || index === 0) await assertNothingRestored(copy, line)
      else
        await assert.rejects(
          verifyBackup(copy, () => KEYS),
          hasLine(line),
        )
    })
  }

  test('other keys', async () => {
    const wrong = createMasterKeys(randomBytes(32).toString('base64'), [])
    const line = /MASTER_KEY and MASTER_KEYS_OLD do not open this backup/
    await assert.rejects(
      verifyBackup(backup, () => wrong),
      hasLine(line),
    )
  })

  test('rows that do not fit together: nothing of the database or the photos stays', async () => {
    const copy = join(folder, 'unfit')
    cpSync(backup, copy, { recursive: true })
    removeAccount(copy)
    await assertNothingRestored(copy, /foreign key/)
  })

  test('a database in use, and one that is not empty unless --force is said', async (t) => {
    const target = await emptyTarget()
    const running = openTestPool(target.url, 1)
    await running`select 1`
    const line = /^Something is connected to this database \(platenote\/[\d.]+\): /
    await assert.rejects(restoreInto(target), (error) => error instanceof BackupError && line.test(error.message))
    await running.end()
    // a name of its own does not hide a server
    const renamed = openTestPool(`${target.url}${target.url.includes('?') ? '&' : '?'}application_name=billing`, 1)
    t.after(() => renamed.end())
    await renamed`select 1`
    await assert.rejects(restoreInto(target), /Something is connected to this database \(billing\)/)
    await renamed.end()
    await restoreInto(target)
    await assert.rejects(restoreInto(target), /The database is not empty/)
    await restoreBackup({ ...target, keys: KEYS }, backup, { force: true })
    assert.equal((await target.db`select from auth.users`).length, 3)
    await target.db.end()
  })
})

test('one that starts while a database that was in use is restored waits too, however long it takes', async (t) => {
  const target = await emptyTarget()
  await restoreInto(target)
  const proxy = await startDatabaseProxy(target.connection)
  t.after(() => proxy.close())
  const [restorer, watcher] = [openPool(proxy.connection, 2), openTestPool(target.url, 1)]
  t.after(() => Promise.all([restorer.end(), watcher.end(), target.db.end()]))
  const [keys] = await target.db`select 'encryption_keys'::regclass::oid as table`
  await target.db.end() // it counts as a server
  const restoring = restoreBackup({ ...target, db: restorer, keys: KEYS }, backup, { force: true })
  await eventually(async () => {
    const [dropped] = await app.db`
      select from pg_locks l join pg_database d on d.oid = l.database
      where d.datname = ${target.connection.database} and l.relation = ${keys!['table']}
        and l.mode = 'AccessExclusiveLock' and l.granted`
    return dropped ? true : undefined
  })
  await proxy.setMode('freeze')
  const starting = testApp({ settings: { MASTER_KEY }, sibling: { config: app.config, database: target.database } })
  const waitsFor = await eventually(async () => {
    const [waiting] =
      await watcher`select wait_event from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
    return waiting?.['wait_event']
  })
  // not for a table that is gone by then, and not only for as long as a statement may wait for one
  assert.equal(waitsFor, 'advisory')
  await proxy.setMode('forward')
  await restoring
  const server = await starting
  assert.equal((await server.db`select from auth.users`).length, 3)
  await server.close()
})

test('the commands make a key, back up, verify and restore', async () => {
  const key = join(folder, 'by-command.key')
  const newKey = await runCommand('backup', ['--new-key', key], {})
  const [recipient, advice] = newKey.out.split('\n')
  assert.deepEqual([newKey.code, newKey.err], [0, ''])
  assert.match(
    advice!,
    /^Set BACKUP_RECIPIENTS to this line, and keep \S+by-command\.key in two places that are neither/,
  )
  const settings = {
    DATABASE_URL: app.database.url,
    DATA_DIR: app.config.DATA_DIR,
    MASTER_KEY,
    BACKUP_RECIPIENTS: `${await createKeyFile(join(folder, 'second.key'))}, ${recipient}`,
  }
  const target = join(folder, 'by-command')
  const made = await runCommand('backup', [target], settings)
  assert.deepEqual([made.code, made.err], [0, ''])
  assert.match(
    made.out,
    /^Backed up \d+ rows of \d+ tables and 2 files .*\nIt is encrypted: each secret key of the 2 BACKUP_RECIPIENTS opens it\.\n/,
  )
  const runs = await app.db`select ok, is_encrypted from operations_runs where name = 'backup'`
  assert.deepEqual(fieldsOf(runs, 'ok', 'is_encrypted'), [[true, true]])
  assert.equal(
    (await runCommand('backup', [target], settings)).err,
    `${target} is not empty. Name a new folder for each backup.\n`,
  )

  // nothing is asked of a database
  const away = { MASTER_KEY, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }
  const whole = await runCommand('backup', ['--verify', target], { DATABASE_URL: away.DATABASE_URL })
  assert.deepEqual([whole.code, whole.err], [0, ''])
  assert.match(
    whole.out,
    /^The backup is whole and unchanged: \d+ files\. It is encrypted, and its content was not read: /,
  )
  const verified = await runCommand('backup', ['--verify', '--identity', key, target], away)
  assert.equal(verified.code, 0, verified.err)
  assert.match(verified.out, /^The backup of \S+ is whole: \d+ tables, 2 files, and these keys open it\.\n$/)
  const keyless = await runCommand('backup', ['--verify', '--identity', '-', target], away)
  assert.match(keyless.err, /^the standard input has no secret key \(AGE-SECRET-KEY-…\), or a damaged one: [^\n]+\n$/)

  const empty = await emptyTarget()
  await empty.db.end()
  const restored = await runCommand('restore', ['--identity', key, target], {
    ...settings,
    DATABASE_URL: empty.url,
    DATA_DIR: empty.dataDir,
  })
  assert.deepEqual([restored.code, restored.err], [0, ''])
  assert.match(restored.out, /WARNING: no journal of deletions was found/)
  // its run had no end yet when its rows were read
  const there = openTestPool(empty.url, 1)
  const figures = await getBackupFigures(there)
  const opened = await openBackup(target, readIdentity(key))
  assert.deepEqual([figures.ok, figures.is_encrypted, figures.succeeded_at], [true, true, opened.manifest?.finishedAt])
  await there.end()
})
