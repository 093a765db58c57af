import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ConfigError, loadConfig } from '../config.ts'
import { temporaryFolder } from '../test/closing.ts'
import { HOUR_S } from '../time.ts'
import { openDiskStore } from './disk-store.ts'
import { openFileStore, parseStorageUrl } from './open-file-store.ts'

const root = temporaryFolder('platenote-files-')

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

test('a data folder that cannot be created is reported in one line', async () => {
  const file = join(root, 'file')
  writeFileSync(file, '')
  await assert.rejects(openFileStore(loadConfig({ DATA_DIR: file })), (error) => {
    assert.ok(error instanceof ConfigError)
    assert.match(error.message, /^wrong setting: DATA_DIR must be a folder that can be written to \([^\n]*\)$/)
    return true
  })
})

test('STORAGE_URL gives bucket, endpoint and region', () => {
  assert.deepEqual(parseStorageUrl('s3://plates?endpoint=https://s3.example.com&region=ca-central-1'), {
    bucket: 'plates',
    endpoint: 'https://s3.example.com',
    region: 'ca-central-1',
  })
  assert.deepEqual(parseStorageUrl('s3://plates.files'), {
    bucket: 'plates.files',
    endpoint: undefined,
    region: undefined,
  })
})

test('a STORAGE_URL that makes no sense is refused with one line that says why', () => {
  const wrong: [url: string, why: RegExp][] = [
    ['https://plates', /must start with s3:/],
    ['s3:', /must name a bucket/],
    ['s3://?region=x', /must name a bucket/],
    ['s3://A_B', /must name a bucket/],
    ['s3://key:secret@plates', /must not hold credentials/],
    ['s3://plates/folder', /must not have a path/],
    ['s3://plates?regoin=ca-central-1', /unknown part "regoin"/],
    ['s3://plates?endpoint=s3.example.com', /must have an endpoint/],
    ['s3://plates?region=a%20b', /must have a region/],
  ]
  for (const [url, why] of wrong) {
    assert.throws(
      () => parseStorageUrl(url),
      (error) => error instanceof ConfigError && why.test(error.message) && !/\n|secret/.test(error.message),
      url,
    )
  }
})
