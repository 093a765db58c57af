import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { openDiskStore } from '../files/disk-store.ts'
import { type TestApp, testApp } from '../test/app.ts'
import { runCommand } from '../test/product.ts'
import { createEmptyDatabase } from '../test/restore-targets.ts'
import { drawPng, uploadImage } from '../test/upload.ts'

// A drill with the settings of production but for the database: its worker would delete photos of production, and rewrite the
// journal of deletions from its own table.

const MASTER_KEY = randomBytes(32).toString('base64')
const folder = mkdtempSync(join(tmpdir(), 'platenote-used-store-'))
const backup = join(folder, 'backup')
let app: TestApp

before(async () => {
  app = await testApp({ settings: { MASTER_KEY } })
  await app.vehicle(await app.user(), { plate: 'DRILL1' })
  const sender = await app.user()
  const { body } = await uploadImage(sender, await drawPng())
  const message = { plate: 'DRILL1', content: 'Your lights are on.', attachment_id: body.id }
  assert.equal((await sender.post('/api/messages', message)).status, 201)
  const settings = { DATABASE_URL: app.database.url, DATA_DIR: app.config.DATA_DIR, MASTER_KEY }
  const made = await runCommand('backup', [backup], settings)
  assert.equal(made.code, 0, made.err)
})
after(async () => {
  await app.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Restores as `platenote restore …` does, into an empty database. */
async function restoreInto(dataDir: string, ...options: string[]) {
  const { db, url } = await createEmptyDatabase()
  await db.end()
  const settings = { DATABASE_URL: url, DATA_DIR: dataDir, MASTER_KEY }
  const { code, err } = await runCommand('restore', [...options, backup], settings)
  return { code, err }
}
const filesOf = (dataDir: string) => readdirSync(join(dataDir, 'attachments'), { recursive: true }).toSorted()

test('an empty database does not take over a store with photos of the backup, unless it is told to', async () => {
  const { DATA_DIR } = app.config
  const before = filesOf(DATA_DIR)
  for (const options of [[], ['--force']]) {
    const refused = await restoreInto(DATA_DIR, ...options)
    assert.equal(refused.code, 1)
    assert.match(refused.err, /^The database is empty, and the store of photos has been used before\. [^\n]+\n$/)
  }
  assert.deepEqual(filesOf(DATA_DIR), before)
  assert.deepEqual(await restoreInto(DATA_DIR, '--take-over-store'), { code: 0, err: '' })
})

test('a journal of deletions alone marks a store as used', async () => {
  const dataDir = join(folder, 'journal-only')
  const store = await openDiskStore(join(dataDir, 'attachments'))
  await store.put(`deletions-${new Date().toISOString().slice(0, 10)}.json`, Buffer.from('[]'))
  const { code, err } = await restoreInto(dataDir)
  assert.equal(code, 1)
  assert.match(err, /--take-over-store/)
})

test('a store of its own needs no word, nor does the journal of a lost one', async () => {
  assert.deepEqual(await restoreInto(join(folder, 'own')), { code: 0, err: '' })
  const lost = await openDiskStore(join(folder, 'lost'))
  await lost.put(`deletions-${new Date().toISOString().slice(0, 10)}.json`, Buffer.from('[]'))
  const named = await restoreInto(join(folder, 'another'), '--deletions', join(folder, 'lost'))
  assert.deepEqual(named, { code: 0, err: '' })
})
