import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { ConfigError, loadConfig } from '../config.ts'
import { temporaryFolder } from '../test/closing.ts'
import { eventually } from '../test/eventually.ts'
import { AWS_VARIABLES, startFakeS3 } from '../test/fake-s3.ts'
import { HOUR_S } from '../time.ts'
import { openDiskStore } from './disk-store.ts'
import { openFileStore, parseStorageUrl } from './open-file-store.ts'
import { openS3Store } from './s3-store.ts'

const root = temporaryFolder('platenote-files-')

const name = () => `${randomBytes(32).toString('hex')}.webp`
/** Not `deepEqual`, which would look for every difference between large files, and take all memory of the machine for it. */
const assertSame = (found: Buffer | null | undefined, bytes: Buffer) => assert.ok(found?.equals(bytes))

test('a file is read as it was written, is stored two folders deep with owner-only access, and can be removed', async () => {
  const store = await openDiskStore(root)
  const [file, bytes] = [name(), randomBytes(100_000)]
  await store.put(file, bytes)

  assertSame(await store.get(file), bytes)
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

const s3 = await startFakeS3()
after(() => s3.close())
const { objects } = s3
const openBucket = () => openFileStore(loadConfig({ STORAGE_URL: s3.storageUrl('platenote-files') }))

test('files are written and read by signed requests, a missing file is null, and a file can be removed', async () => {
  const store = await openBucket()
  const [name, bytes] = [`${randomBytes(32).toString('hex')}.webp`, randomBytes(300_000)]
  assert.equal(await store.get(name), null)
  await store.put(name, bytes)
  assert.deepEqual([...objects.keys()], [`/platenote-files/${name}`])
  assertSame(objects.get(`/platenote-files/${name}`), bytes)
  assertSame(await store.get(name), bytes)
  await store.remove(name)
  assert.equal(await store.get(name), null)
  await store.remove(name)
})

test('a request to a briefly overloaded bucket is retried; when it stays overloaded that is an error, not "no such file"', async () => {
  const store = await openBucket()
  const name = `${randomBytes(32).toString('hex')}.webp`
  s3.failures = 1
  await store.put(name, Buffer.from('x'))
  assert.deepEqual(await store.get(name), Buffer.from('x'))
  s3.failures = 100
  await assert.rejects(store.get(name), { code: 'SlowDown' })
  s3.failures = 0
})

test('a bucket that falls silent, before it answers or half-way through a file, fails in time, and then all goes on', async (t) => {
  t.after(() => Object.assign(s3, { stalls: undefined }))
  const limits = { responseMs: 200, wholeMs: 500 }
  const store = await openS3Store(parseStorageUrl(s3.storageUrl('platenote-files')), { read: limits, write: limits })
  const [kept, lost, bytes] = [name(), name(), randomBytes(300_000)]
  await (await openBucket()).put(kept, bytes)
  const silence = { name: 'StoreError', code: 'ETIMEDOUT' }
  s3.stalls = 'in the body'
  // more than the client has connections: none stays with a read that was given up
  await Promise.all(Array.from({ length: 60 }, () => assert.rejects(store.get(kept), silence)))
  s3.stalls = 'at once'
  const calls = [store.get(lost), store.put(lost, bytes), store.remove(lost)]
  await Promise.all(calls.map((call) => assert.rejects(call, silence)))
  s3.stalls = undefined
  // a machine may be too slow for these limits a few times
  assertSame(await eventually(() => store.get(kept).catch(() => undefined)), bytes)
})

test('a bucket that tells nothing of files it does not have is an error that names the rights, never "no such file"', async (t) => {
  t.after(() => Object.assign(s3, { listsObjects: true }))
  const store = await openBucket()
  s3.listsObjects = false
  await assert.rejects(store.get(`${randomBytes(32).toString('hex')}.webp`), {
    code: 'AccessDenied',
    message:
      'the bucket platenote-files cannot be used (AccessDenied): allow the AWS keys s3:GetObject, s3:PutObject and s3:DeleteObject on what is in the bucket, and s3:ListBucket on the bucket itself',
  })
})

test('without credentials the start fails with one line', async () => {
  const { AWS_ACCESS_KEY_ID, ...rest } = AWS_VARIABLES
  delete process.env['AWS_ACCESS_KEY_ID']
  try {
    await assert.rejects(openBucket(), { message: /^missing setting: STORAGE_URL needs AWS_ACCESS_KEY_ID and [^\n]*$/ })
  } finally {
    Object.assign(process.env, { AWS_ACCESS_KEY_ID, ...rest })
  }
})
