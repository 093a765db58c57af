import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { Readable, pipeline as startPipeline, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import type { Db } from '../db/pool.ts'
import { quote, type Table } from './catalog.ts'

// A table as a file: one row a line as JSON, compressed. PostgreSQL writes and reads the JSON, so that every value comes back as
// it was, with any version of it; its own pg_dump is not among the embedded programs, and must be as new as the server.

const ROWS_AT_A_TIME = 500
const LINES_AT_A_TIME = 500
const BYTES_AT_A_TIME = 4_000_000

type TableFile = { rows: number; rowsSha256: string; sha256: string }

/** Reads a table in the snapshot of a transaction, in the order of its key, and writes its file. */
export async function writeTable(tx: Db, { name, columns, key }: Table, path: string): Promise<TableFile> {
  const order = (key.length > 0 ? key : columns).map(quote).join(', ')
  await tx.unsafe(
    `declare backup_rows no scroll cursor for
     select to_json(t)::text as line from (select ${columns.map(quote).join(', ')} from ${quote(name)} order by ${order}) t`,
  )
  let rows = 0
  async function* readLines() {
    for (;;) {
      const found = await tx.unsafe<{ line: string }[]>(`fetch ${ROWS_AT_A_TIME} from backup_rows`)
      if (found.length === 0) return
      rows += found.length
      yield found.map(({ line }) => `${line}\n`).join('')
    }
  }
  const sums = await writeCompressed(readLines(), path)
  await tx.unsafe('close backup_rows')
  return { rows, ...sums }
}

/** Writes text compressed, and returns the sums of the text and of the file. */
export async function writeCompressed(text: AsyncIterable<string>, path: string) {
  const [content, file] = [createHash('sha256'), createHash('sha256')]
  const output = createWriteStream(path, { mode: 0o600, flags: 'wx', flush: true })
  await pipeline(Readable.from(text, { objectMode: false }), summing(content), createGzip(), summing(file), output)
  return { rowsSha256: content.digest('hex'), sha256: file.digest('hex') }
}

const summing = (hash: ReturnType<typeof createHash>) =>
  new Transform({
    transform(chunk: Buffer, _, done) {
      hash.update(chunk)
      done(null, chunk)
    },
  })

/** Returns the sum of a file, read piece by piece. */
export async function sumFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

/**
 * Reads the lines of a compressed file. They end with \n and with nothing else: readline also ends them at U+2028 and U+2029,
 * which JSON contains as they are.
 */
export async function* readLines(path: string): AsyncGenerator<string> {
  // an error of either stream comes out of the loop
  const text = startPipeline(createReadStream(path), createGunzip(), () => {}).setEncoding('utf8')
  let begun = ''
  for await (const piece of text) {
    const lines = (piece as string).split('\n')
    lines[0] = begun + lines[0]!
    begun = lines.pop()!
    yield* lines
  }
  if (begun !== '') yield begun
}

/** Puts the rows of a file into an empty table. */
export async function loadTable(tx: Db, { name, columns }: Omit<Table, 'key'>, path: string): Promise<number> {
  const list = columns.map(quote).join(', ')
  const statement = `insert into ${quote(name)} (${list}) select ${list} from json_populate_recordset(null::${quote(name)}, $1::json)`
  let [lines, bytes, rows]: [string[], number, number] = [[], 0, 0]
  const flush = async () => {
    if (lines.length > 0) await tx.unsafe(statement, [`[${lines.join(',')}]`])
    rows += lines.length
    lines = []
    bytes = 0
  }
  for await (const line of readLines(path)) {
    lines.push(line)
    bytes += line.length
    if (lines.length >= LINES_AT_A_TIME || bytes >= BYTES_AT_A_TIME) await flush()
  }
  await flush()
  return rows
}
