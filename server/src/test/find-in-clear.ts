import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Pool } from '../db/pool.ts'

/** Bytes that are looked for, and what they are. */
type Needle = { what: string; bytes: Buffer }

/** Returns the encodings a text may be stored in: as it is, UTF-16, hexadecimal, and Base64 at any offset. */
export function encodingsOf(name: string, plain: Buffer, text: boolean): Needle[] {
  const needle = (form: string, bytes: Buffer): Needle => ({ what: `${name} in ${form}`, bytes })
  const inBase64 = [0, 1, 2].flatMap((shift) => {
    const padded = Buffer.concat([Buffer.alloc(shift), plain])
    // without the characters that depend on their neighbours
    const own = padded.toString('base64').slice(shift && 4, Math.floor(padded.length / 3) * 4)
    return [own, own.replaceAll('+', '-').replaceAll('/', '_')].map((form) =>
      needle(`Base64, shifted by ${shift}`, Buffer.from(form)),
    )
  })
  const hex = plain.toString('hex')
  return [
    needle('bytes', plain),
    needle('hexadecimal', Buffer.from(hex)),
    needle('hexadecimal', Buffer.from(hex.toUpperCase())),
    ...inBase64,
    ...(text
      ? [
          needle('UTF-16LE', Buffer.from(plain.toString(), 'utf16le')),
          needle('UTF-16BE', Buffer.from(plain.toString(), 'utf16le').swap16()),
        ]
      : []),
  ]
}

/** Uses the first word of a text, which is there even if the text was cut. */
export const encodingsOfText = (name: string, text: string) => encodingsOf(name, Buffer.from(text.split(' ')[0]!), true)

/**
 * Finds every row of every table that contains one of these texts in any column, as `table: row`. Not among what was deleted, whose ids
 * are kept for 90 days, so that no backup brings it back (decision backup-and-restore).
 */
export async function findRowsWith(db: Pool, texts: string[]): Promise<string[]> {
  const tables = await db<{ name: string }[]>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname in ('auth', 'public') and tablename <> 'deletions'`
  assert.ok(tables.length > 15, 'the tables were found')
  const found: string[] = []
  for (const { name } of tables)
    for (const { row } of await db.unsafe<{ row: string }[]>(`select to_jsonb(t)::text as row from ${name} t`))
      if (texts.some((text) => row.includes(text))) found.push(`${name}: ${row.slice(0, 300)}`)
  return found
}

type Haystack = { where: string; bytes: Buffer }

/** Collects everything the product leaves behind: its database as rows, files and log, the images, and its own log. */
export async function collectHaystacks(db: Pool, dataDir: string, log: string): Promise<Haystack[]> {
  await db`checkpoint`
  const stacks: Haystack[] = [{ where: 'the log', bytes: Buffer.from(log) }]
  const tables = await db<{ name: string }[]>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`
  for (const { name } of tables) {
    for (const row of await db.unsafe(`select t::text as whole, t.* from ${name} t`)) {
      for (const [column, value] of Object.entries(row)) {
        const bytes = Buffer.isBuffer(value)
          ? value
          : Buffer.from(typeof value === 'string' ? value : JSON.stringify(value))
        stacks.push({ where: `the rows of ${name} (${column})`, bytes })
      }
    }
  }
  for (const entry of readdirSync(dataDir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    try {
      stacks.push({ where: file.slice(dataDir.length), bytes: readFileSync(file) })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error // the database has deleted it meanwhile
    }
  }
  return stacks
}

/** Returns where each needle was found. One pass over each haystack: they are hundreds of megabytes, and the needles hundreds. */
export function findNeedles(needles: Needle[], stacks: Haystack[]): string[] {
  const byStart = Map.groupBy(needles, ({ bytes }) => bytes.readUInt16BE())
  // looked at for each byte of them
  const isStart = new Uint8Array(0x10000)
  for (const start of byStart.keys()) isStart[start] = 1
  const found = new Set<string>()
  for (const { where, bytes } of stacks)
    for (let i = 1; i < bytes.length; i++) {
      const start = (bytes[i - 1]! << 8) | bytes[i]!
      if (isStart[start] === 0) continue
      const isThere = (needle: Buffer) => bytes.subarray(i - 1, i - 1 + needle.length).equals(needle)
      for (const needle of byStart.get(start)!) if (isThere(needle.bytes)) found.add(`${needle.what}: ${where}`)
    }
  return [...found]
}
