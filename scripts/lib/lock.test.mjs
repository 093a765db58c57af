import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

const folder = mkdtempSync(join(tmpdir(), 'platenote-lock-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

/** Starts a process that takes the lock, appends "in" and "out" around 300 ms of work to the log, and ends. */
function spawnWorker(lock, log) {
  const lines = `
    import { appendFileSync } from 'node:fs'
    import { withLock } from ${JSON.stringify(new URL('lock.mjs', import.meta.url).href)}
    await withLock(${JSON.stringify(lock)}, () => {}, async () => {
      appendFileSync(${JSON.stringify(log)}, 'in ')
      await new Promise((resolve) => setTimeout(resolve, 300))
      appendFileSync(${JSON.stringify(log)}, 'out ')
    })`
  return spawn(process.execPath, ['--input-type=module', '--eval', lines], { stdio: ['ignore', 'ignore', 'inherit'] })
}

async function deadPid() {
  const child = spawn(process.execPath, ['--eval', ''])
  await once(child, 'exit')
  return child.pid
}

test('processes work one after the other, also when they find the lock of a dead one', async () => {
  const lock = join(folder, 'contended')
  const log = join(folder, 'log')
  writeFileSync(lock, String(await deadPid()))
  const workers = [spawnWorker(lock, log), spawnWorker(lock, log), spawnWorker(lock, log)]
  const ends = await Promise.all(workers.map((child) => once(child, 'exit')))
  assert.deepEqual(
    ends.map(([code]) => code),
    [0, 0, 0],
  )
  assert.equal(readFileSync(log, 'utf8'), 'in out in out in out ')
  assert.equal(existsSync(lock), false)
})
