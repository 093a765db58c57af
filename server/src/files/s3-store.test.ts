import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import { loadConfig } from '../config.ts'
import { AWS_VARIABLES, startFakeS3 } from '../test/fake-s3.ts'
import { openFileStore, parseStorageUrl } from './open-file-store.ts'
import { openS3Store } from './s3-store.ts'

const s3 = await startFakeS3()
after(() => s3.close())
const { objects } = s3
const open = () => openFileStore(loadConfig({ STORAGE_URL: s3.storageUrl('platenote-files') }))

test('files are written and read by signed requests, a missing file is null, and a file can be removed', async () => {
  const store = await open()
  const [name, bytes] = [`${randomBytes(32).toString('hex')}.webp`, randomBytes(300_000)]
  assert.equal(await store.get(name), null)
  await store.put(name, bytes)
  assert.deepEqual([...objects.keys()], [`/platenote-files/${name}`])
  assert.deepEqual(objects.get(`/platenote-files/${name}`), bytes)
  assert.deepEqual(await store.get(name), bytes)
  await store.remove(name)
  assert.equal(await store.get(name), null)
  await store.remove(name)
})

test('a request to a briefly overloaded bucket is retried; when it stays overloaded that is an error, not "no such file"', async () => {
  const store = await open()
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
  const [name, bytes] = [`${randomBytes(32).toString('hex')}.webp`, randomBytes(300_000)]
  await store.put(name, bytes)
  const silence = { name: 'StoreError', code: 'ETIMEDOUT' }
  s3.stalls = 'in the body'
  // more than the client has connections: none stays with a read that was given up
  await Promise.all(Array.from({ length: 60 }, () => assert.rejects(store.get(name), silence)))
  s3.stalls = 'at once'
  const calls = [store.get(name), store.put(name, bytes), store.remove(name)]
  await Promise.all(calls.map((call) => assert.rejects(call, silence)))
  s3.stalls = undefined
  assert.deepEqual(await store.get(name), bytes)
})

test('a bucket that tells nothing of files it does not have is an error that names the rights, never "no such file"', async (t) => {
  t.after(() => Object.assign(s3, { listsObjects: true }))
  const store = await open()
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
    await assert.rejects(open(), { message: /^missing setting: STORAGE_URL needs AWS_ACCESS_KEY_ID and [^\n]*$/ })
  } finally {
    Object.assign(process.env, { AWS_ACCESS_KEY_ID, ...rest })
  }
})
