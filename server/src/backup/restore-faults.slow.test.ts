import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { after, afterEach, before, test } from 'node:test'
import { loadConfig } from '../config.ts'
import { openPool } from '../db/pool.ts'
import { createMasterKeys } from '../encryption/envelope-encryption.ts'
import type { FileStore } from '../files/file-store.ts'
import { openFileStore } from '../files/open-file-store.ts'
import { type Person, type TestApp, testApp } from '../test/app.ts'
import { temporaryFolder } from '../test/closing.ts'
import { startDatabaseProxy } from '../test/database-proxy.ts'
import { startFakeS3 } from '../test/fake-s3.ts'
import { createEmptyDatabase, removeAccount } from '../test/restore-targets.ts'
import { drawPng, storedFileName, uploadImage } from '../test/upload.ts'
import { makeBackup } from './make-backup.ts'
import { restoreBackup } from './restore-backup.ts'

// What happens to the photos when the store or the database fails in the middle of a restore, and above all at its end.

const MASTER_KEY = randomBytes(32).toString('base64')
const keys = createMasterKeys(MASTER_KEY, [])
const folder = temporaryFolder('platenote-restore-faults-')
const [one, two, unfit] = ['one', 'two', 'unfit'].map((name) => join(folder, name)) as [string, string, string]
const s3 = await startFakeS3()
let app: TestApp
/** The files of two photos: the first backup has one of them, the second both. */
let [first, second]: string[] = []

async function sendPhoto(sender: Person, background: string): Promise<string> {
  const { body } = await uploadImage(sender, await drawPng(background))
  const message = { plate: 'FAULTY1', content: 'Your lights are on.', attachment_id: body.id }
  assert.equal((await sender.post('/api/messages', message)).status, 201)
  return storedFileName(app, body)
}

before(async () => {
  app = await testApp({ settings: { MASTER_KEY, STORAGE_URL: s3.storageUrl('source') } })
  await app.vehicle(await app.user(), { plate: 'FAULTY1' })
  const sender = await app.user()
  first = await sendPhoto(sender, '#456')
  const source = { db: app.db, files: app.context.files, version: '0.3.0' }
  await makeBackup(source, one)
  second = await sendPhoto(sender, '#654')
  await makeBackup(source, two)
  cpSync(one, unfit, { recursive: true })
  removeAccount(unfit)
})
afterEach(() => {
  s3.deniedMethod = undefined
})
after(() => s3.close())

let targets = 0
/** Creates an empty database, and a bucket of which `stored` lists the photos. */
async function emptyTarget() {
  const bucket = `target-${++targets}`
  const { db, connection } = await createEmptyDatabase()
  after(() => db.end())
  const files = await openFileStore(loadConfig({ STORAGE_URL: s3.storageUrl(bucket) }))
  const pathOf = (name: string) => `/${bucket}/${name}`
  const stored = () =>
    [...s3.objects.keys()]
      .filter((path) => path.startsWith(pathOf('')))
      .map((path) => path.slice(pathOf('').length))
      .sort()
  const warnings: string[] = []
  return { db, connection, files, keys, stored, pathOf, warnings, warn: (line: string) => warnings.push(line) }
}

const restored = (name: string) => s3.objects.get(`/source/${name}`)

test('a store that refuses to delete after the commit costs a warning, and no photo of the restored database', async () => {
  const target = await emptyTarget()
  await restoreBackup(target, two)
  s3.objects.delete(target.pathOf(first!))
  s3.deniedMethod = 'DELETE'
  await restoreBackup(target, one, { force: true, warn: target.warn })
  assert.deepEqual(s3.objects.get(target.pathOf(first!)), restored(first!))
  assert.equal((await target.db`select from attachments`).length, 1)
  assert.deepEqual(target.warnings, [
    `Files of the database before that could not be deleted: 1 (AccessDenied; the first: ${second}). No row names them any more; nothing opens them.`,
  ])
})

test('a restore that fails says why, although its files cannot be deleted again', async () => {
  const target = await emptyTarget()
  s3.deniedMethod = 'DELETE'
  await assert.rejects(restoreBackup(target, unfit, { warn: target.warn }), /foreign key/)
  assert.deepEqual(target.warnings, [
    `Files of this restore that could not be taken back: 1 (AccessDenied; the first: ${first}). The next restore finds them.`,
  ])
  assert.deepEqual(target.stored(), [first])
})

test('a store that fails while files are written leaves those of before, and no others', async () => {
  const target = await emptyTarget()
  let puts = 0
  const failing: FileStore = {
    ...target.files,
    put: (name, bytes) => {
      if (++puts === 2) s3.deniedMethod = 'PUT'
      return target.files.put(name, bytes)
    },
  }
  await assert.rejects(restoreBackup({ ...target, files: failing }, two), /AccessDenied/)
  assert.deepEqual(target.stored(), [])
})

test('a commit whose answer is lost may have happened: the photos stay, and the command is run again', async () => {
  const target = await emptyTarget()
  const proxy = await startDatabaseProxy(target.connection)
  after(() => proxy.close())
  const db = openPool(proxy.connection, 2)
  after(() => db.end())
  const files: FileStore = {
    ...target.files,
    put: (name, bytes) => {
      proxy.loseNextAnswerTo('commit\0') // after the checks and before the transaction
      return target.files.put(name, bytes)
    },
  }
  const restoring = restoreBackup({ db, files, keys }, one)
  await assert.rejects(restoring, /lost at the very end, .* run the command again with --force and --take-over-store/)
  assert.equal((await target.db`select from attachments`).length, 1)
  assert.deepEqual(target.stored(), [first])
})
