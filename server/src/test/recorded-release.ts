import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import pg from 'pg'
import type { BuiltStatement } from '../db/sql.ts'

/** A parameter of a recorded statement: a text, or bytes of which only the first matters (it names a form of encryption). */
type RecordedValue = string | null | { first: number; length: number }

/** A statement that a release ran. Its values are those of a test, with numbers in place of what was random. */
export type RecordedStatement = { text: string; types?: number[]; values?: RecordedValue[] }

export type RecordedRelease = { version: string; lastMigration: number; statements: RecordedStatement[] }

export const releasesFolder = join(import.meta.dirname, '../db/releases')

/** Reads what was recorded of the release before this one. */
export function readRelease(): RecordedRelease {
  const [file, ...more] = globSync('*.json.gz', { cwd: releasesFolder })
  if (!file || more.length > 0) throw new Error(`${releasesFolder} is to have one recorded release`)
  return JSON.parse(gunzipSync(readFileSync(join(releasesFolder, file))).toString())
}

/** Writes a release and returns the size of the file in bytes. */
export function writeRelease({ version, lastMigration, statements }: RecordedRelease): number {
  const sorted = statements.toSorted((a, b) => (a.text < b.text ? -1 : 1))
  const compressed = gzipSync(JSON.stringify({ version, lastMigration, statements: sorted }), { level: 9 })
  writeFileSync(join(releasesFolder, `${version}.json.gz`), compressed)
  return compressed.length
}

/** Takes out of a statement's values what is random and therefore does not compress: ids, hashes and encrypted bytes. */
export function simplify({ text, types, values }: BuiltStatement): RecordedStatement {
  const ids: string[] = []
  const numberId = (id: string) => {
    if (!ids.includes(id)) ids.push(id)
    return `00000000-0000-7000-8000-${String(ids.indexOf(id) + 1).padStart(12, '0')}`
  }
  const simplifyValue = (value: string | Buffer | null): RecordedValue =>
    value === null
      ? null
      : typeof value === 'string'
        ? value
            .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, numberId)
            .replace(/(?<=\\x[0-9a-f]{2})[0-9a-f]+/g, (bytes) => '0'.repeat(bytes.length))
        : { first: value[0] ?? 0, length: value.length }
  return { text, ...(types && { types }), ...(values && { values: values.map(simplifyValue) }) }
}

/** Returns a recorded value as it is sent. */
export function toParameter(value: RecordedValue): string | Buffer | null {
  if (value === null || typeof value === 'string') return value
  const bytes = Buffer.alloc(value.length)
  if (value.length > 0) bytes[0] = value.first
  return bytes
}

/** What came of a statement: the names and types of its columns, and an error as its SQLSTATE and what it is about. */
export type Outcome = { columns: Map<string, number>; error?: string }

/** A plan that a migration made obsolete: the product runs the statement again (`connection.ts`). */
const OBSOLETE_PLAN = '0A000 RevalidateCachedQuery'

/** Runs a recorded statement and takes back what it did; with a name it is prepared, or runs as it was prepared before. */
export async function runStatement(
  client: pg.Client,
  { text, types, values = [] }: RecordedStatement,
  name?: string,
): Promise<Outcome> {
  const query = new pg.Query({ text, values: values.map(toParameter), ...(name && { name }) })
  // the driver has one name for the parsers of columns and the types of parameters
  Object.assign(query, { types })
  const outcome = new Promise<Outcome>((resolve) => {
    const callback = (error: Error | null) => {
      // the columns are known before the statement runs, also when it then fails
      const { fields } = (query as unknown as { _result: pg.QueryResult })._result
      const columns = new Map(fields.map((field) => [field.name, field.dataTypeID]))
      resolve(error ? { columns, error: describeError(error as pg.DatabaseError) } : { columns })
    }
    void client.query('begin')
    client.query(Object.assign(query, { callback }))
  })
  await client.query('rollback')
  return outcome
}

const describeError = ({ code, routine, table, column, constraint, message }: pg.DatabaseError) =>
  `${code} ${code === '0A000' ? routine : (constraint ?? (column ? `${table}.${column}` : message))}`

/** Returns what a statement does now and did not do before that its author did not expect. */
export function findDifference(before: Outcome, now: Outcome): string | undefined {
  if (now.error === OBSOLETE_PLAN) return undefined
  if (now.error !== undefined && now.error !== before.error)
    return `now ${now.error}, was ${before.error ?? 'no error'}`
  for (const [name, type] of before.columns) {
    const typeNow = now.columns.get(name)
    if (typeNow === undefined) return `${name} is gone`
    if (typeNow !== type) return `${name} is of type ${typeNow}, was ${type}`
  }
  return undefined
}
