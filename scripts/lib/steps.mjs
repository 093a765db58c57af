import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBrowser } from './browser.mjs'
import { environment } from './node26.mjs'
import { runInForeground } from './process.mjs'
import { root } from './root.mjs'
import { Stop } from './stop.mjs'
import { testDatabaseUrl } from './test-database.mjs'
import { ensureBuilt } from './web-build.mjs'

// Half of the processor is PostgreSQL's in these tests: two files at a time keep two cores busy.
const filesAtOnce = 2
const longestTestMs = 180_000
const longestSlowTestMs = 900_000
const results = join(root, 'test-results')
// Every file, and every server a file or a journey starts, is a process: compiled code that is kept saves each 0.4 s.
const keptCode = { NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/platenote-code') }

/** Every step of `npm test` by name, in order. Each answers {ok} and, when it ran tests, {passed, failed, skipped}. */
export const steps = { types, lint, texts, unit, build, browser, slow }

/** What `npm run check` runs of them. */
export const checkSteps = ['types', 'lint', 'texts', 'unit']

async function types() {
  // Route types and texts are generated; a fresh clone has none.
  return all(
    ['react-router', 'typegen', 'web'],
    ['tsc', '--noEmit', '-p', 'tsconfig.json'],
    ['tsc', '--noEmit', '-p', 'web/tsconfig.json'],
    ['tsc', '--noEmit', '-p', 'e2e/tsconfig.json'],
  )
}

async function lint() {
  return all(['biome', 'check'], ['oxlint', '--type-aware'])
}

async function texts() {
  return all(['node', 'scripts/check-texts.mjs'])
}

function unit() {
  const inTypeScript = ['contract', 'server', 'web/src']
    .flatMap((folder) => filesEndingIn('.test.ts', folder))
    .filter((file) => !file.endsWith('.slow.test.ts'))
  const files = [...inTypeScript, ...filesEndingIn('.test.mjs', 'scripts')]
  return nodeTests('unit', files, ['--test-concurrency', filesAtOnce, '--test-timeout', longestTestMs])
}

/** Alone and one after the other: these measure what a kill or a full disk does, and are disturbed by neighbours. */
function slow() {
  const files = filesEndingIn('.slow.test.ts', 'server')
  return nodeTests('slow', files, ['--test-concurrency', 1, '--test-timeout', longestSlowTestMs])
}

async function build() {
  await ensureBuilt()
  return { ok: true }
}

async function browser() {
  const report = resultFile('browser')
  const env = {
    ...keptCode,
    CHROMIUM_PATH: await ensureBrowser(),
    TEST_DATABASE_URL: await testDatabaseUrl(),
    BROWSER_RESULTS: report,
  }
  const code = await tool(['playwright', 'test', '--forbid-only'], env)
  const { stats } = read(report)
  // said aloud: a journey that needs a second try hides a race, in itself or in the product
  if (stats.flaky > 0) process.stdout.write(`${stats.flaky} of the journeys passed on the second try only\n`)
  return counted(code, { passed: stats.expected + stats.flaky, failed: stats.unexpected, skipped: stats.skipped })
}

async function nodeTests(name, files, flags) {
  if (files.length === 0) return counted(0, { passed: 0, failed: 0, skipped: 0 })
  const report = resultFile(name)
  const reporters = [
    ['--test-reporter', 'spec', '--test-reporter-destination', 'stdout'],
    ['--test-reporter', './scripts/lib/count-reporter.mjs', '--test-reporter-destination', report],
  ]
  const env = { ...keptCode, TEST_DATABASE_URL: await testDatabaseUrl(), NODE_ENV: 'test' }
  const code = await tool(['node', '--test', ...flags.map(String), ...reporters.flat(), ...files], env)
  const { empty = [], ...counts } = read(report)
  for (const file of empty) console.error(`No test in ${file}`)
  return counted(code, counts)
}

/** A run without a single test shows nothing, so it is a failure too. */
const counted = (code, counts) => ({ ok: code === 0 && counts.failed === 0 && counts.passed > 0, ...counts })

/** Runs every command, also after one has failed: one run tells all there is to mend. */
async function all(...commands) {
  let ok = true
  for (const line of commands) ok = (await tool(line)) === 0 && ok
  return { ok }
}

function tool([program, ...args], extra = {}) {
  const shell = process.platform === 'win32' && program !== 'node'
  return runInForeground(program, args, { cwd: root, env: environment(extra), shell })
}

function resultFile(name) {
  mkdirSync(results, { recursive: true })
  const file = join(results, `${name}.json`)
  rmSync(file, { force: true }) // the counts of an earlier run must never be taken for this one's
  return file
}

function read(report) {
  try {
    return JSON.parse(readFileSync(report, 'utf8'))
  } catch {
    throw new Stop(`the tests ended without a result (${report} is missing or cut off).`)
  }
}

/** Paths from the root of the files below a folder whose names end so. */
export function filesEndingIn(ending, folder) {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(ending))
    .sort()
    .map((file) => join(folder, file))
}
