import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { firstOutput, runInChildNode } from '../test/child-node.ts'
import { temporaryFolder } from '../test/closing.ts'
import { acquireFolderLock, FolderInUseError } from './lockfile.ts'

const root = temporaryFolder('platenote-lock-')

let folders = 0
const createFolder = () => join(root, String(++folders))

describe('acquireFolderLock', () => {
  test('keeps the lock when nothing refers to its handle', async (t) => {
    const dir = createFolder()
    const holder = runInChildNode(
      t,
      dir,
      `acquireFolderLock(dir); for (let i = 0; i < 5; i++) { gc(); await new Promise(setImmediate) }; console.log('held'); setInterval(() => {}, 1e6)`,
      {
        env: { ...process.env, NODE_OPTIONS: '--expose-gc' },
      },
    )
    assert.equal(await firstOutput(holder), 'held')
    assert.throws(() => acquireFolderLock(dir), FolderInUseError)
  })
})
