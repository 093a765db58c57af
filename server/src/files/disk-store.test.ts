import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { HOUR_S } from '../time.ts'
import { openDiskStore } from './disk-store.ts'

const root = mkdtempSync(join(tmpdir(), 'platenote-files-'))
after(() => rmSync(root, { recursive: true, force: true }))

const name = () => `${randomBytes(32).toString('hex')}.webp`

test('a file is read as it was written, is stored two folders deep with owner-only access, and can be removed', async () => {
  const store = await openDiskStore(root)
  const [file, bytes] = [name(), randomBytes(100_000)]
  await store.put(file, bytes)

  assert.deepEqual(await store.get(file), bytes)
  const path = join(root, file.slice(0, 2), file.slice(2, 4), file)
  assert.equal(statSync(path).mode & 0o777, 0o600)
  assert.equal(statSync(join(path, '..')).mode & 0o777, 0o700)
  assert.deepEqual(readdirSync(join(root, '.drafts')), [])

  await store.remove(file)
  assert.equal(await store.get(file), null)
  await store.remove(file)
})

test('of concurrent writes under one name, one is stored completely', async () => {
  const store = await openDiskStore(root)
  const file = name()
  const versions = Array.from({ length: 8 }, (_, i) => Buffer.alloc(200_000, i))
  await Promise.all(versions.map((bytes) => store.put(file, bytes)))
  const found = await store.get(file)
  assert.ok(versions.some((bytes) => found?.equals(bytes)))
})

test('drafts a crash left behind are removed at the next start, drafts of the last hour are not', async () => {
  const drafts = join(root, '.drafts')
  const twoHoursAgoS = Date.now() / 1000 - 2 * HOUR_S
  writeFileSync(join(drafts, 'old'), 'half')
  utimesSync(join(drafts, 'old'), twoHoursAgoS, twoHoursAgoS)
  writeFileSync(join(drafts, 'young'), 'half')
  await openDiskStore(root)
  assert.deepEqual(readdirSync(drafts), ['young'])
})

test('a name that could leave the folder throws', async () => {
  const store = await openDiskStore(root)
  for (const bad of [
    '../../../etc/passwd',
    'ab/../../../x.webp',
    '/etc/passwd',
    '........',
    'abcdefgh.webp/x',
    'abcdefgh\0.webp',
    '',
  ]) {
    await assert.rejects(store.get(bad), /not a name/)
    await assert.rejects(store.put(bad, Buffer.from('x')), /not a name/)
    await assert.rejects(store.remove(bad), /not a name/)
  }
})
