import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { ConfigError, loadConfig } from '../config.ts'
import { openFileStore, parseStorageUrl } from './open-file-store.ts'

const dir = mkdtempSync(join(tmpdir(), 'platenote-store-'))
after(() => rmSync(dir, { recursive: true, force: true }))

test('without STORAGE_URL files are stored in DATA_DIR/attachments', async () => {
  const store = await openFileStore(loadConfig({ DATA_DIR: dir }))
  await store.put('abcdefgh.webp', Buffer.from('x'))
  assert.ok(existsSync(join(dir, 'attachments', 'ab', 'cd', 'abcdefgh.webp')))
})

test('a data folder that cannot be created is reported in one line', async () => {
  const file = join(dir, 'file')
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
