import { spawn } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { readMigrations } from '../db/migrate.ts'
import type { BuiltStatement } from '../db/sql.ts'
import { releasesFolder, simplify, writeRelease } from './recorded-release.ts'

// npm run release:record [-- test files]: runs the tests of the server and writes the statements that the product ran meanwhile to
// server/src/db/releases/<version>.json.gz, in place of the release before. Statements that no test runs are not in it.

const root = join(import.meta.dirname, '../../..')
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
const folder = mkdtempSync(join(tmpdir(), 'platenote-statements-'))
const files =
  process.argv.length > 2
    ? process.argv.slice(2)
    : globSync('server/**/!(*.slow|timing|hostile-images).test.ts', { cwd: root }).sort()
const recorder = pathToFileURL(join(import.meta.dirname, 'record-statements.ts')).href
const run = spawn(process.execPath, [join(root, 'scripts/test-unit.mjs'), ...files], {
  cwd: root,
  env: {
    ...process.env,
    RECORD_STATEMENTS_INTO: folder,
    NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} --import=${recorder}`,
  },
  stdio: 'inherit',
})
const code = await new Promise<number | null>((resolve) => run.once('exit', resolve))
const statements = new Map<string, BuiltStatement>()
for (const file of globSync('*.json', { cwd: folder }).sort())
  for (const [form, statement] of JSON.parse(readFileSync(join(folder, file), 'utf8'), reviveBytes) as [
    string,
    BuiltStatement,
  ][])
    if (!statements.has(form)) statements.set(form, statement)
rmSync(folder, { recursive: true })

const lastMigration = readMigrations().at(-1)!.number
mkdirSync(releasesFolder, { recursive: true })
for (const older of globSync('*.json.gz', { cwd: releasesFolder })) rmSync(join(releasesFolder, older))
const bytes = writeRelease({ version, lastMigration, statements: [...statements.values()].map(simplify) })
console.log(`${statements.size} statements of ${version}, migrations up to ${lastMigration}: ${bytes} bytes`)
// a test that fails ran its statements all the same
if (code !== 0) console.log('Some tests failed: look whether they ran their statements.')

/** Bytes as `JSON.stringify` writes a buffer. */
function reviveBytes(_: string, value: unknown): unknown {
  const isBytes = typeof value === 'object' && value !== null && 'type' in value && value.type === 'Buffer'
  return isBytes ? Buffer.from((value as unknown as { data: number[] }).data) : value
}
