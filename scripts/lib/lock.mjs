import { readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { isAlive } from './process.mjs'

const heartbeatMs = 2_000
// A holder that has not touched its lock for this long is gone, even if its process id has been reused.
const staleAfterMs = 20_000
const pollMs = 250
const settleMs = 150

/**
 * Runs `work` while no other process holds the same lock file. A second process waits, calling `onWait(pid)`
 * once, and takes over the lock of a process that died.
 */
export async function withLock(file, onWait, work) {
  let notified = false
  while (!(await acquire(file))) {
    if (!notified) onWait(holder(file))
    notified = true
    await sleep(pollMs)
  }
  const heartbeat = setInterval(() => refresh(file), heartbeatMs)
  const release = () => rmSync(file, { force: true })
  process.once('exit', release)
  try {
    return await work()
  } finally {
    clearInterval(heartbeat)
    process.off('exit', release)
    release()
  }
}

async function acquire(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
  }
  if (!isStale(file)) return false
  // Two waiting processes may both see the dead holder: the last rename wins, and each checks whose it was.
  const mine = `${file}.${process.pid}`
  writeFileSync(mine, String(process.pid))
  renameSync(mine, file)
  await sleep(settleMs)
  return holder(file) === process.pid
}

function holder(file) {
  try {
    return Number(readFileSync(file, 'utf8'))
  } catch {
    return Number.NaN // just released
  }
}

function isStale(file) {
  try {
    const idleMs = Date.now() - statSync(file).mtimeMs
    const pid = holder(file)
    // an empty file belongs to a holder between creating and writing it
    return idleMs > staleAfterMs || (pid > 0 && !isAlive(pid))
  } catch {
    return false
  }
}

function refresh(file) {
  try {
    utimesSync(file, new Date(), new Date())
  } catch {
    // taken over while this process was suspended; nothing here can undo that
  }
}
