import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { inAnotherProcess, killed, said } from '../test/another-process.ts'
import { EmbeddedError } from './embedded-error.ts'
import { FolderInUse, lockFolder } from './folder-lock.ts'

const root = mkdtempSync(join(tmpdir(), 'platenote-lock-'))
after(() => rmSync(root, { recursive: true, force: true }))

let folders = 0
const newFolder = () => join(root, String(++folders))

describe('lockFolder', () => {
  test('is for one process, named to the others, until it lets go or dies', async (t) => {
    const dir = newFolder()
    const holder = inAnotherProcess(t, dir, `lockFolder(dir); console.log('held'); setInterval(() => {}, 1e6)`)
    assert.equal(await said(holder), 'held')
    assert.throws(
      () => lockFolder(dir),
      (error) =>
        error instanceof FolderInUse &&
        error.pid === holder.pid &&
        error.message.includes(`${dir} is in use by process ${holder.pid}`),
    )
    await killed(holder)
    const lock = lockFolder(dir)
    assert.throws(() => lockFolder(dir), FolderInUse)
    lock.release()
    lock.release() // a second one is harmless
    lockFolder(dir).release()
  })

  test('stays when nobody keeps the handle', async (t) => {
    const dir = newFolder()
    const holder = inAnotherProcess(
      t,
      dir,
      `lockFolder(dir); for (let i = 0; i < 5; i++) { gc(); await new Promise(setImmediate) }; console.log('held'); setInterval(() => {}, 1e6)`,
      {
        env: { ...process.env, NODE_OPTIONS: '--expose-gc' },
      },
    )
    assert.equal(await said(holder), 'held')
    assert.throws(() => lockFolder(dir), FolderInUse)
  })

  test('says that a path cannot be locked', () => {
    const file = newFolder()
    writeFileSync(file, '')
    assert.throws(
      () => lockFolder(file),
      (error) => error instanceof EmbeddedError && error.message === `${file} is not a folder; set DATA_DIR to one.`,
    )
  })
})
