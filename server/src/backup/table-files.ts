import { Readable, pipeline as startPipeline } from 'node:stream'
import { createGunzip, createGzip } from 'node:zlib'
import type { Db } from '../db/pool.ts'
import type { Content } from './age.ts'
import { quote, type Table } from './catalog.ts'

// A table as a file: one row a line as JSON, compressed. PostgreSQL writes and reads the JSON, so that every value comes back as
// it was, with any version of it; its own pg_dump is not among the embedded programs, and must be as new as the server.

const ROWS_AT_A_TIME = 500
const LINES_AT_A_TIME = 500
const BYTES_AT_A_TIME = 4_000_000

/** Reads a table in the snapshot of a transaction, in the order of its key, and has its file written. Returns how many rows it has. */
export async function writeTable(
  tx: Db,
  { name, columns, key }: Table,
  write: (content: Content) => Promise<void>,
): Promise<number> {
  const order = (key.length > 0 ? key : columns).map(quote).join(', ')
  await tx.unsafe(
    `declare backup_rows no scroll cursor for
     select to_json(t)::text as line from (select ${columns.map(quote).join(', ')} from ${quote(name)} order by ${order}) t`,
  )
  let rows = 0
  async function* fetchLines() {
    for (;;) {
      const found = await tx.unsafe<{ line: string }[]>(`fetch ${ROWS_AT_A_TIME} from backup_rows`)
      if (found.length === 0) return
      rows += found.length
      yield found.map(({ line }) => `${line}\n`).join('')
    }
  }
  // an error of either stream comes out of the loop that reads the last, here and below
  await write(startPipeline(Readable.from(fetchLines(), { objectMode: false }), createGzip(), () => {}))
  await tx.unsafe('close backup_rows')
  return rows
}

/** Reads the lines of a table's file. */
export const readRows = (content: Content): AsyncGenerator<string> =>
  readLines(startPipeline(Readable.from(content, { objectMode: false }), createGunzip(), () => {}))

/** Reads lines. They end with \n and with nothing else: readline also ends them at U+2028 and U+2029, which JSON contains as they are. */
export async function* readLines(bytes: Readable): AsyncGenerator<string> {
  let begun = ''
  for await (const piece of bytes.setEncoding('utf8')) {
    const lines = (piece as string).split('\n')
    lines[0] = begun + lines[0]!
    begun = lines.pop()!
    yield* lines
  }
  if (begun !== '') yield begun
}

/** Puts the rows of a file into an empty table. */
export async function loadTable(tx: Db, { name, columns }: Omit<Table, 'key'>, content: Content): Promise<number> {
  const list = columns.map(quote).join(', ')
  const statement = `insert into ${quote(name)} (${list}) select ${list} from json_populate_recordset(null::${quote(name)}, $1::json)`
  let [lines, bytes, rows]: [string[], number, number] = [[], 0, 0]
  const flush = async () => {
    if (lines.length > 0) await tx.unsafe(statement, [`[${lines.join(',')}]`])
    rows += lines.length
    lines = []
    bytes = 0
  }
  for await (const line of readRows(content)) {
    lines.push(line)
    bytes += line.length
    if (lines.length >= LINES_AT_A_TIME || bytes >= BYTES_AT_A_TIME) await flush()
  }
  await flush()
  return rows
}
