// npm run test:unit [-- files]: runs the tests that need no browser. Several files share a process, because starting one and
// loading the product took half of the processor's time; several processes run at a time, because tests also wait.

import { globSync } from 'node:fs'
import { ensureTestServer } from '../server/src/test/postgres.ts'
import { recordFaultyTests } from './lib/faulty-tests.mjs'
import { endAll, runLimited } from './lib/limited-run.mjs'
import { exitCode, forwardSignals } from './lib/process.mjs'
import { root } from './lib/root.mjs'

const filesPerProcess = 5
const processesAtATime = 6
const testLimitMs = 300_000
/** A process that waits for ever, after a test that never ended or one that left something open. */
const processLimitMs = 900_000
/** Files that come first, each in a process of its own: they change what others would see there, or take longest. */
const alone = [
  'server/src/test/matrix/matrix.test.ts',
  'server/src/test/confidentiality/confidentiality.test.ts',
  'server/src/profile/export-stream.test.ts',
  'server/src/test/database.test.ts', // goes to another PostgreSQL
  // replace the timers, which servers of the other files would use as well
  'server/src/db/batcher.test.ts',
  'server/src/jobs/lease-worker.test.ts',
]

const listFiles = () =>
  globSync(['{bench,contract,server,web}/**/!(*.slow|timing|hostile-images).test.ts', 'scripts/**/*.test.mjs'], {
    cwd: root,
  })
    .map((path) => path.replaceAll('\\', '/'))
    .sort()

/** Divides the files into one list for each process. */
function divide(files) {
  const together = files.filter((file) => !alone.includes(file))
  const lists = files.filter((file) => alone.includes(file)).map((file) => [file])
  for (let i = 0; i < together.length; i += filesPerProcess) lists.push(together.slice(i, i + filesPerProcess))
  return lists
}

/** Runs the tests of some files in a process of their own and returns how it ended and what it printed. */
function runFiles(files) {
  const reporters = ['spec', './scripts/lib/count-reporter.mjs'].flatMap((reporter) => [
    `--test-reporter=${reporter}`,
    '--test-reporter-destination=stdout',
  ])
  const args = ['--test', '--test-isolation=none', ...reporters, `--test-timeout=${testLimitMs}`, ...files]
  const { FAULTY_TESTS_FILE: _ours, ...env } = process.env // a first try is not told from a second one there
  return runLimited(args, { cwd: root, env, limitMs: processLimitMs })
}

// they are in process groups of their own, which a signal from a terminal does not reach
const stopForwarding = forwardSignals((signal) => {
  endAll(signal)
  process.exit(exitCode(null, signal))
})

process.env.TEST_DATABASE_URL = (await ensureTestServer()).url()
const named = process.argv.slice(2)
const queue = divide(named.length > 0 ? named : listFiles())
const total = { passed: 0, failed: 0 }
const failures = []
const secondTries = []

/** Runs the tests of some files once and returns what came of it. */
async function tryFiles(files) {
  const startedAt = performance.now()
  const { ok, output } = await runFiles(files)
  const seconds = (performance.now() - startedAt) / 1000
  const [, passed, failed] = output.match(/^(\d+) passed, (\d+) failed/m) ?? []
  return {
    files,
    output,
    seconds,
    ok: ok && passed !== undefined,
    passed: Number(passed ?? 0),
    failed: Number(failed ?? 0),
  }
}

async function work() {
  for (let files = queue.shift(); files; files = queue.shift()) {
    let result = await tryFiles(files)
    // as the browser tests do: one second try where nobody can start the run again, printed and counted
    if (!result.ok && process.env.CI) {
      secondTries.push(result)
      result = await tryFiles(files)
    }
    total.passed += result.passed
    total.failed += result.failed
    if (!result.ok) failures.push(result)
    const { ok, passed, seconds } = result
    console.log(`${ok ? '✔' : '✖'} ${passed} passed in ${seconds.toFixed(1)} s: ${files.join(' ')}`)
  }
}
await Promise.all(Array.from({ length: processesAtATime }, work))
stopForwarding()

const print = (heading, results) => {
  for (const { files, output } of results) console.log(`\n── ${heading}: ${files.join(' ')}\n${output.trimEnd()}`)
}
print('first try', secondTries)
print('failed', failures)
/** Returns the lines that name a failed test, each once. */
const failedLines = (results) => [
  ...new Set(
    results.flatMap(({ output }) => output.match(/^ *✖ (?!failing tests:$).*$/gm) ?? []).map((line) => line.trim()),
  ),
]
const repeated = secondTries.filter(({ files }) => !failures.some((failure) => failure.files === files))
const lines = [
  ...failedLines(repeated).map((line) => `passed when repeated: ${line}`),
  ...failures.flatMap(({ files, ...failure }) => [...failedLines([failure]), `✖ in ${files.join(' ')}`]),
]
for (const line of lines) console.log(line)
recordFaultyTests(secondTries.length, lines)
console.log(`\nsecond tries: ${secondTries.length}\n${total.passed} passed, ${total.failed} failed`)
process.exitCode = failures.length > 0 || total.passed === 0 ? 1 : 0
