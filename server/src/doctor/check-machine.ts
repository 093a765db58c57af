import { randomBytes } from 'node:crypto'
import { constants, existsSync } from 'node:fs'
import { access, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { Pool } from '../db/pool.ts'
import { type FileStore, StoreError } from '../files/file-store.ts'
import { openFileStore } from '../files/open-file-store.ts'
import { readDisk } from '../jobs/report-process.ts'
import { errorCode } from '../log/safe-error.ts'
import { SECOND_MS } from '../time.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

const CLOCK_WARN_MS = 2 * SECOND_MS
const CLOCK_FAIL_MS = 30 * SECOND_MS
const DISK_WARN_SHARE = 0.1
const DISK_FAIL_SHARE = 0.02
const BYTES_PER_GB = 1e9
const SAMPLE_BYTES = 1_000

/**
 * Compares the clock of this machine with the database's. A difference that the duration of the query could explain counts as
 * none.
 */
export async function checkClock(db: Pool): Promise<Finding> {
  await db`select 1` // a connection is open from here on, so that its opening is not measured
  const before = Date.now()
  const [row] = await db<{ now_ms: number }[]>`
    select extract(epoch from clock_timestamp())::float8 * 1000 as now_ms`
  const after = Date.now()
  const offsetMs = row!.now_ms < before ? before - row!.now_ms : Math.max(0, row!.now_ms - after)
  return judgeClock(offsetMs)
}

/** Returns the finding for a clock that is so many milliseconds from the database's. */
export function judgeClock(offsetMs: number): Finding {
  const seconds = (offsetMs / SECOND_MS).toFixed(1)
  const text = `${seconds} s away from the database's clock`
  if (offsetMs <= CLOCK_WARN_MS) return ok(text)
  return (offsetMs > CLOCK_FAIL_MS ? fail : warn)(`${text}: let both machines get the time by NTP`)
}

/** Looks at the free space of the disk with DATA_DIR. */
export async function checkDisk(config: Config): Promise<Finding> {
  const { free, total } = await readDisk(config)
  if (free === null || total === null) return warn(`${config.DATA_DIR} is not there: the first start makes it`)
  return judgeDisk(free, total)
}

/** Returns the finding for a disk with so many bytes free of a total. */
export function judgeDisk(free: number, total: number): Finding {
  const share = free / total
  const text = `${(free / BYTES_PER_GB).toFixed(1)} GB free of DATA_DIR's disk (${Math.floor(share * 100)} %)`
  if (share >= DISK_WARN_SHARE) return ok(text)
  return (share < DISK_FAIL_SHARE ? fail : warn)(`${text}: free some space outside DATA_DIR/postgres, or enlarge it`)
}

/** Writes, reads back and deletes something small where photos and documents are kept. */
export const checkStorage = (config: Config): Promise<Finding> =>
  config.STORAGE_URL === undefined ? checkFolder(config) : checkBucket(config)

async function checkFolder({ DATA_DIR }: Config): Promise<Finding> {
  const folder = join(DATA_DIR, 'attachments')
  if (!existsSync(folder)) return warn(`${folder} is not there: the first start makes it`)
  const advice = 'give the account of PlateNote the right to write there, or mount it'
  // where files begin, and where the next start takes away what a crash has left
  const drafts = join(folder, '.drafts')
  const file = join(existsSync(drafts) ? drafts : folder, `doctor-${randomBytes(8).toString('hex')}`)
  const sample = randomBytes(SAMPLE_BYTES)
  try {
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    await writeFile(file, sample, { mode: 0o600, flag: 'wx', flush: true })
    if (!sample.equals(await readFile(file)))
      return fail(`${folder} does not give back what is written to it: check the disk`)
  } catch (error) {
    const code = errorCode(error)
    if (code === 'ENOSPC' || code === 'EDQUOT') return fail(`the disk of ${folder} is full (${code}): free some space`)
    return fail(`${folder} cannot be written to (${code}): ${advice}`)
  } finally {
    await rm(file, { force: true }).catch(() => {}) // not written either
  }
  return ok(`${folder} is written, read and deleted from`)
}

async function checkBucket(config: Config): Promise<Finding> {
  const store = await openFileStore(config)
  const bucket = `the bucket ${new URL(config.STORAGE_URL!).host}`
  const newName = () => `doctor-${randomBytes(8).toString('hex')}`
  const name = newName()
  const sample = randomBytes(SAMPLE_BYTES)
  let step = 'written to'
  let isLeft = false
  try {
    await store.put(name, sample)
    isLeft = true
    step = 'read from'
    const found = await store.get(name)
    step = 'deleted from'
    await store.remove(name)
    isLeft = false
    if (!found?.equals(sample))
      return fail(`${bucket} does not give back what is written to it: PlateNote needs one that does so at once`)
    step = 'asked for a file that it does not have' // a restore asks for many
    await store.get(newName())
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    if (isLeft) isLeft = await removeFails(store, name)
    const left = isLeft ? `; ${name} is still there` : ''
    return fail(`${bucket} cannot be ${step} (${error.code}): ${error.advice}${left}`)
  }
  return ok(`${bucket} is written, read and deleted from`)
}

const removeFails = (store: FileStore, name: string): Promise<boolean> =>
  store.remove(name).then(
    () => false,
    () => true,
  )
