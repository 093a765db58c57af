import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { cpSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { before, test } from 'node:test'
import { newId } from '../db/ids.ts'
import type { Pool } from '../db/pool.ts'
import { createMasterKeys } from '../encryption/envelope-encryption.ts'
import { openDiskStore } from '../files/disk-store.ts'
import type { FileStore } from '../files/file-store.ts'
import { type TestApp, testApp } from '../test/app.ts'
import { temporaryFolder } from '../test/closing.ts'
import { createEmptyDatabase, reseal } from '../test/restore-targets.ts'
import { HOUR_MS } from '../time.ts'
import { copyDeletions, forgetOldDeletions } from './deletion-journal.ts'
import { makeBackup } from './make-backup.ts'
import { type RestoreOptions, restoreBackup } from './restore-backup.ts'

// The journal over more than one restore: a vehicle that was removed must not come back with any backup.

const MASTER_KEY = randomBytes(32).toString('base64')
const keys = createMasterKeys(MASTER_KEY, [])
const folder = temporaryFolder('platenote-journal-')
/** Backups from before and after the vehicle LATER1 was registered. */
const [early, late] = [join(folder, 'early'), join(folder, 'late')]
/** The store of the lost installation, whose journal has the removal of LATER1. */
const lostStore = join(folder, 'lost-store')
let app: TestApp
let laterId: string

before(async () => {
  app = await testApp({ settings: { MASTER_KEY, ROLE: 'web' } })
  const owner = await app.user()
  await app.vehicle(owner, { plate: 'EARLY1' })
  const source = { db: app.db, files: app.context.files, version: '0.3.0' }
  await makeBackup(source, early)
  const later = await app.vehicle(owner, { plate: 'LATER1' })
  laterId = later.id
  await makeBackup(source, late)
  assert.equal((await owner.delete(`/api/vehicles/${laterId}`)).status, 204)
  await copyDeletions(app.db, await openDiskStore(lostStore))
})

let stores = 0
async function emptyStore(): Promise<FileStore & { folder: string }> {
  const path = join(folder, `store-${++stores}`)
  return { ...(await openDiskStore(path)), folder: path }
}

/** Restores into a database of its own, looks at it, and returns its plates. */
async function restore(
  files: FileStore,
  from: string,
  { look, ...options }: RestoreOptions & { look?: (db: Pool) => Promise<unknown> } = {},
) {
  const { db } = await createEmptyDatabase()
  try {
    await restoreBackup({ db, files, keys }, from, options)
    const rows = await db<{ plate: string }[]>`select plate from vehicles order by plate`
    await look?.(db)
    return rows.map(({ plate }) => plate)
  } finally {
    await db.end()
  }
}

const isJournalFile = (name: string) => /deletions-[\d-]+\.json$/.test(name)
const dayBefore = (days: number) => new Date(Date.now() - days * 24 * HOUR_MS).toISOString().slice(0, 10)
const journalOf = async (files: FileStore, day: string) => {
  const bytes = await files.get(`deletions-${day}.json`)
  return bytes && (JSON.parse(bytes.toString()) as { row_id: string }[]).map(({ row_id }) => row_id)
}

test('what a backup does not know of yet stays deleted when a later backup is restored', async () => {
  const { folder: path, ...files } = await emptyStore()
  cpSync(lostStore, path, { recursive: true })
  const removeAndCopy = async (db: Pool) => {
    await db`delete from vehicles`
    await copyDeletions(db, files)
  }
  assert.deepEqual(await restore(files, early, { look: removeAndCopy }), ['EARLY1'])
  assert.deepEqual(await restore(files, late), [])
})

test('a journal that was named once stands in the new store afterwards, under its day', async () => {
  const oldStore = await emptyStore()
  const day = dayBefore(20)
  await oldStore.put(
    `deletions-${day}.json`,
    Buffer.from(JSON.stringify([{ table_name: 'public.vehicles', row_id: laterId }])),
  )
  const files = await emptyStore()
  const plates = await restore(files, late, { journals: [oldStore.folder], look: (db) => copyDeletions(db, files) })
  assert.deepEqual(plates, ['EARLY1'])
  assert.deepEqual(await journalOf(files, day), [laterId])
  assert.deepEqual(await restore(files, late), ['EARLY1'])
})

test('a folder without a file of the journal is refused before anything is restored', async () => {
  const files = await emptyStore()
  const { folder: wrong } = await emptyStore()
  const look = () => assert.fail('it was restored')
  await assert.rejects(restore(files, late, { journals: [lostStore, wrong], look }), {
    message: `${wrong} has no file of the journal of deletions (deletions-<date>.json). Name the folder of the old store, or a copy of it, or leave the option out.`,
    isOperatorError: true,
  })
  await assert.rejects(restore(files, late, { journals: [join(wrong, 'none')], look }), {
    message: `${join(wrong, 'none')} cannot be read (ENOENT): it is to have files of the journal of deletions.`,
  })
})

test('a damaged day of the journal is named, and a whole copy of it takes its place', async () => {
  const files = await emptyStore()
  const [name] = await readdir(lostStore, { recursive: true }).then((names) => names.filter(isJournalFile))
  const file = basename(name!)
  const look = () => assert.fail('it was restored')
  for (const content of ['[{"table_name": "public.veh', '[{"table_name": "public.vehicles", "row_id": "1"}]']) {
    await files.put(file, Buffer.from(content))
    await assert.rejects(restore(files, late, { look }), {
      message: `${file} in the store of photos is damaged. Name a folder with a whole copy of it with --deletions, or delete it: what was deleted on that day and is in the backup comes back then.`,
      isOperatorError: true,
    })
  }
  assert.deepEqual(await restore(files, late, { journals: [lostStore] }), ['EARLY1'])
  const copy = await emptyStore()
  await copy.put(file, Buffer.from('[{'))
  const [path] = await readdir(copy.folder, { recursive: true }).then((names) => names.filter(isJournalFile))
  await assert.rejects(restore(await emptyStore(), late, { journals: [copy.folder], look }), {
    message: `${join(copy.folder, path!)} is damaged. Take it away, or put a whole copy in its place: without one, what was deleted on that day and is in the backup comes back.`,
  })
})

test('a backup from before a long stop is compared with every day since', async () => {
  const old = join(folder, 'old')
  cpSync(late, old, { recursive: true })
  reseal(old, (manifest) => {
    manifest.startedAt = `${dayBefore(200)}T03:00:00.000Z`
  })
  const files = await emptyStore()
  const deletion = { table_name: 'public.vehicles', row_id: laterId }
  await files.put(`deletions-${dayBefore(180)}.json`, Buffer.from(JSON.stringify([deletion])))
  assert.deepEqual(await restore(files, old), ['EARLY1'])
})

test('days whose time is over are deleted with their files, however long nothing ran', async () => {
  const files = await emptyStore()
  const { db } = app
  const days = [30, 89, 91, 95, 150, 400].map((age) => ({ age, day: dayBefore(age), id: newId() }))
  for (const { day, id } of days)
    await db`insert into deletions (table_name, row_id, deleted_at) values ('public.messages', ${id}, ${day}::timestamptz)`
  await copyDeletions(db, files)
  for (const { day, id } of days) assert.deepEqual(await journalOf(files, day), [id])
  await forgetOldDeletions(db, files)
  for (const { age, day, id } of days) {
    const [row] = await db`select from deletions where row_id = ${id}`
    assert.deepEqual([Boolean(await journalOf(files, day)), Boolean(row)], [age <= 90, age <= 90], `${age} days`)
  }
})
