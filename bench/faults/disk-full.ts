import { spawnSync } from 'node:child_process'
import { chmodSync, closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { newId } from '../../server/src/db/ids.ts'
import { findRunningEmbedded } from '../../server/src/postgres/embedded-server.ts'
import { signUpOverHttp } from '../../server/src/test/post-json.ts'
import { aim, type Figure, none, note, type Scenario } from '../figures.ts'
import { openDatabase, seedOwners, startDatabase, startMember } from '../installation.ts'
import { auditFigures, auditSends } from './audit.ts'
import { type Acknowledged, createUpload, postMessage } from './senders.ts'

const PHOTOS_MB = 16
const DATABASE_MB = 400
const OWNERS = 5_000
const SENDS_PER_PHASE = 100
const FULL_FOR_MS = 10_000
const RECOVERS_WITHIN_MS = 60_000

/** Mounts a small disk of memory, which only root may. */
function mountSmallDisk(megabytes: number) {
  const folder = mkdtempSync(join(tmpdir(), 'platenote-small-disk-'))
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', folder])
  if (mounted.status !== 0) throw new Error('disk-full mounts a small tmpfs, which needs root on Linux')
  chmodSync(folder, 0o755)
  const ballast = join(folder, 'ballast')
  return {
    folder,
    /** Writes until no byte is free. */
    fill() {
      const file = openSync(ballast, 'a')
      for (const size of [1024 * 1024, 4096, 1]) {
        try {
          for (;;) writeSync(file, Buffer.alloc(size, 1))
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
        }
      }
      closeSync(file)
    },
    free: () => rmSync(ballast, { force: true }),
    [Symbol.dispose]() {
      if (spawnSync('umount', ['-l', folder]).status === 0) rmdirSync(folder)
    },
  }
}

/** Counts responses by status and code. */
function createResponseCounts() {
  const counts = new Map<string, number>()
  return {
    add: (what: string) => void counts.set(what, (counts.get(what) ?? 0) + 1),
    list: () => [...counts].map(([what, n]) => `${n} × ${what}`).join(', ') || 'none',
    /** How many responses were anything else than 503 with Retry-After. */
    unclear: () => [...counts].reduce((sum, [what, n]) => sum + (what === '503 busy Retry-After' ? 0 : n), 0),
  }
}

async function describeRefusal(response: Response): Promise<string> {
  const { code = '' } = (await response.json().catch(() => ({}))) as { code?: string }
  return `${response.status} ${code}${response.headers.has('retry-after') ? ' Retry-After' : ''}`
}

async function fillPhotos(rounds: number): Promise<Figure[]> {
  using disk = mountSmallDisk(PHOTOS_MB)
  await using database = await startDatabase()
  await using web = await startMember('web', { ...database.env, DATA_DIR: disk.folder })
  const uploadPhoto = await createUpload(await signUpOverHttp(web.url, 'sender@example.com'))
  const upload = () => uploadPhoto(web.url)
  const stored: string[] = []
  const refused = createResponseCounts()
  let back = 0
  for (let round = 0; round < rounds; round++) {
    for (const full of [false, true]) {
      if (full) disk.fill()
      for (let i = 0; i < 5; i++) {
        const response = await upload()
        if (response.status === 201) stored.push(((await response.json()) as { url: string }).url)
        else refused.add(await describeRefusal(response))
      }
    }
    disk.free()
    if ((await upload()).status === 201) back++
  }
  let readable = 0
  for (const url of stored) if ((await fetch(web.url + new URL(url, web.url).pathname)).ok) readable++
  return [
    note('photos: uploads acknowledged', stored.length),
    note('photos: refused while the disk was full', refused.list()),
    none('photos: other refusals than 503 with Retry-After', refused.unclear()),
    none('photos: acknowledged and not readable', stored.length - readable),
    aim('photos: taken again at once when there is room', `${back} of ${rounds}`, 'always', back === rounds),
  ]
}

async function fillDatabase(rounds: number, progress: (text: string) => void): Promise<Figure[]> {
  using disk = mountSmallDisk(DATABASE_MB)
  await using member = await startMember('all', { DATA_DIR: disk.folder })
  const open = async () => openDatabase((await findRunningEmbedded(join(disk.folder, 'postgres')))!)
  const db = await open()
  const nextPlate = await seedOwners(db, OWNERS)
  await db.end()
  const token = await signUpOverHttp(member.url, 'sender@example.com')
  const acknowledged: Acknowledged = new Map()
  /** The keys and plates of sends that were not acknowledged. */
  const unsent = new Map<string, string>()
  const refused = createResponseCounts()
  const send = async (key = newId(), plate = nextPlate()): Promise<boolean> => {
    unsent.set(key, plate)
    const body = JSON.stringify({ plate, content: 'Your lights are on.' })
    const response = await postMessage(member.url, token, key, body, AbortSignal.timeout(15_000)).catch(() => undefined)
    if (!response) refused.add('no response within 15 s')
    else if (response.status !== 201) refused.add(await describeRefusal(response))
    else {
      unsent.delete(key)
      acknowledged.set(key, { id: ((await response.json()) as { id: string }).id, at: performance.now() })
      return true
    }
    return false
  }
  const recoveries: number[] = []
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < SENDS_PER_PHASE; i++) await send()
    disk.fill()
    progress(`the disk of the database is full, ${acknowledged.size} acknowledged`)
    const until = performance.now() + FULL_FOR_MS
    while (performance.now() < until) {
      await send()
      disk.fill() // the space that a crash of the database has freed
      await delay(50)
    }
    disk.free()
    const freedAt = performance.now()
    while (!(await send()) && performance.now() - freedAt < RECOVERS_WITHIN_MS) await delay(100)
    recoveries.push(performance.now() - freedAt)
  }
  const refusedKeys = unsent.size
  for (const [key, plate] of unsent) await send(key, plate)
  await using after = await open()
  const audit = await auditSends(after, acknowledged, undefined, 0)
  const slowest = Math.max(...recoveries)
  return [
    note('database: refused while the disk was full', refused.list()),
    none('database: other refusals than 503 with Retry-After', refused.unclear()),
    aim(
      'database: of these acknowledged when they were repeated under their key',
      `${refusedKeys - unsent.size} of ${refusedKeys}`,
      'all',
      unsent.size === 0,
    ),
    ...auditFigures(audit, { withMails: false, prefix: 'database: ' }),
    aim(
      'database: sends work again after there is room, without a hand',
      `${(slowest / 1000).toFixed(1)} s`,
      'within 60 s',
      slowest < RECOVERS_WITHIN_MS,
    ),
  ]
}

export const diskFull: Scenario = {
  title: 'A full disk',
  description: `Needs root on Linux: first the photos, then the embedded database are on a disk of memory (${PHOTOS_MB} and ${DATABASE_MB} MB) that a file of ballast fills to the last byte, for ${FULL_FOR_MS / 1000} s in the case of the database; then the ballast is taken away.`,
  rounds: 2,
  run: async (rounds, progress) => [...(await fillPhotos(rounds)), ...(await fillDatabase(rounds, progress))],
}
