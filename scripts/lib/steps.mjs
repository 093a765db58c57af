import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBrowser } from './browser.mjs'
import { CliError } from './cli-error.mjs'
import { childEnvironment } from './node-runtime.mjs'
import { runInForeground } from './process.mjs'
import { root } from './root.mjs'
import { testDatabaseUrl } from './test-database.mjs'
import { ensureBuilt } from './web-build.mjs'

// Half of the processor is PostgreSQL's in these tests: two files at a time keep two cores busy.
const testConcurrency = 2
const testTimeoutMs = 180_000
const slowTestTimeoutMs = 900_000
const resultsFolder = join(root, 'test-results')
// Every file, and every server a test starts, is a process: compiled code that is kept saves each 0.4 s.
const compileCacheEnv = { NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/platenote-code') }

/** Every step of `npm test` by name, in order. Each answers {ok} and, when it ran tests, {passed, failed, skipped}. */
export const steps = { types, lint, texts, unit, build, browser, slow }

/** What `npm run check` runs of them. */
export const checkSteps = ['types', 'lint', 'texts', 'unit']

async function types() {
  // Route types and texts are generated; a fresh clone has none.
  return runAll(
    ['react-router', 'typegen', 'web'],
    ['tsc', '--noEmit', '-p', 'tsconfig.json'],
    ['tsc', '--noEmit', '-p', 'web/tsconfig.json'],
    ['tsc', '--noEmit', '-p', 'e2e/tsconfig.json'],
  )
}

async function lint() {
  return runAll(['biome', 'check'], ['oxlint', '--type-aware'])
}

async function texts() {
  return runAll(['node', 'scripts/check-texts.mjs'])
}

function unit() {
  const inTypeScript = ['contract', 'server', 'web/src']
    .flatMap((folder) => findFiles('.test.ts', folder))
    .filter((file) => !file.endsWith('.slow.test.ts'))
  const files = [...inTypeScript, ...findFiles('.test.mjs', 'scripts')]
  return runNodeTests('unit', files, ['--test-concurrency', testConcurrency, '--test-timeout', testTimeoutMs])
}

/** Alone and one after the other: these measure what a kill or a full disk does, and are disturbed by neighbours. */
function slow() {
  const files = findFiles('.slow.test.ts', 'server')
  return runNodeTests('slow', files, ['--test-concurrency', 1, '--test-timeout', slowTestTimeoutMs])
}

async function build() {
  await ensureBuilt()
  return { ok: true }
}

async function browser() {
  const report = resultFile('browser')
  const env = {
    ...compileCacheEnv,
    CHROMIUM_PATH: await ensureBrowser(),
    TEST_DATABASE_URL: await testDatabaseUrl(),
    BROWSER_RESULTS: report,
  }
  const code = await runTool(['playwright', 'test', '--forbid-only'], env)
  const { stats } = readReport(report)
  // printed: a test that needs a second try hides a race, in itself or in the product
  if (stats.flaky > 0) process.stdout.write(`${stats.flaky} of the browser tests passed on the second try only\n`)
  return outcome(code, { passed: stats.expected + stats.flaky, failed: stats.unexpected, skipped: stats.skipped })
}

async function runNodeTests(name, files, flags) {
  if (files.length === 0) return outcome(0, { passed: 0, failed: 0, skipped: 0 })
  const report = resultFile(name)
  const reporters = [
    ['--test-reporter', 'spec', '--test-reporter-destination', 'stdout'],
    ['--test-reporter', './scripts/lib/count-reporter.mjs', '--test-reporter-destination', report],
  ]
  const env = { ...compileCacheEnv, TEST_DATABASE_URL: await testDatabaseUrl(), NODE_ENV: 'test' }
  const code = await runTool(['node', '--test', ...flags.map(String), ...reporters.flat(), ...files], env)
  const { empty = [], ...counts } = readReport(report)
  for (const file of empty) console.error(`No test in ${file}`)
  return outcome(code, counts)
}

/** A run without a single test shows nothing, so it is a failure too. */
const outcome = (code, counts) => ({ ok: code === 0 && counts.failed === 0 && counts.passed > 0, ...counts })

/** Runs every command, also after one has failed: one run tells all there is to mend. */
async function runAll(...commands) {
  let ok = true
  for (const line of commands) ok = (await runTool(line)) === 0 && ok
  return { ok }
}

function runTool([program, ...args], extra = {}) {
  const shell = process.platform === 'win32' && program !== 'node'
  return runInForeground(program, args, { cwd: root, env: childEnvironment(extra), shell })
}

function resultFile(name) {
  mkdirSync(resultsFolder, { recursive: true })
  const file = join(resultsFolder, `${name}.json`)
  rmSync(file, { force: true }) // the counts of an earlier run must never be taken for this one's
  return file
}

function readReport(report) {
  try {
    return JSON.parse(readFileSync(report, 'utf8'))
  } catch {
    throw new CliError(`the tests ended without a result (${report} is missing or cut off).`)
  }
}

/** Paths from the root of the files below a folder whose names end so. */
export function findFiles(ending, folder) {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(ending))
    .sort()
    .map((file) => join(folder, file))
}
