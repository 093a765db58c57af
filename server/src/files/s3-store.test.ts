import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import { loadConfig } from '../config.ts'
import { AWS_VARIABLES, startFakeS3 } from '../test/fake-s3.ts'
import { openFileStore } from './open-file-store.ts'

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
  await assert.rejects(store.get(name), { name: 'SlowDown' })
  s3.failures = 0
})

test('a name that could be a path throws and is never requested', async () => {
  const store = await open()
  const before = s3.calls
  await assert.rejects(store.get('../other-bucket/x'), /not a name/)
  await assert.rejects(store.put('a/b', Buffer.from('x')), /not a name/)
  assert.equal(s3.calls, before)
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
