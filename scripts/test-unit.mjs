// npm run test:unit [-- --slow | --timing | files]: runs the tests that need no browser. Several files share a process, because
// starting one and loading the product took half of the processor's time; several processes run at a time, because tests also wait.

import { globSync } from 'node:fs'
import { ensureTestServer } from '../server/src/test/postgres.ts'
import { capture } from './lib/process.mjs'
import { root } from './lib/root.mjs'

/** A process that waits for ever, before a test or in one, is ended as failed; one that lingers after them ends itself (`closing.ts`). */
const processLimitMs = 2_700_000
const kinds = {
  unit: {
    files: ['{bench,contract,server,web}/**/!(*.slow|timing).test.ts', 'scripts/**/*.test.mjs'],
    filesPerProcess: 8, // at most
    processesAtATime: 6,
    testLimitMs: 900_000,
  },
  // they kill servers and databases, restore backups, run the artefact, and often wait for what they killed
  slow: { files: ['{bench,server}/**/*.slow.test.ts'], filesPerProcess: 1, processesAtATime: 3, testLimitMs: 900_000 },
  // they measure how long things take
  timing: {
    files: ['server/**/timing.test.ts'],
    filesPerProcess: 1,
    processesAtATime: 1,
    testLimitMs: 900_000,
  },
}
/** Files that come first, each in a process of its own: they change what others would see there, or take longest. */
const alone = [
  'server/src/test/matrix/matrix.test.ts',
  'server/src/test/confidentiality.test.ts',
  'server/src/encryption/at-rest.test.ts',
  'server/src/doctor/examine.test.ts',
  'server/src/encryption/rotate-keys.test.ts',
  'server/src/profile/export-stream.test.ts',
  // replace the timers, which servers of the other files would use as well
  'server/src/db/batcher.test.ts',
  'server/src/jobs/lease-worker.test.ts',
]

const named = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const kind = kinds[process.argv.find((argument) => argument.startsWith('--'))?.slice(2) ?? 'unit']
if (!kind) throw new Error('the options are --slow and --timing.')

const listFiles = () =>
  globSync(kind.files, { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .sort()

/** Divides the files into one list for each process: shorter ones towards the end, so that no process outlasts the others by much. */
function divide(files) {
  const isAlone = (file) => alone.includes(file) || file.endsWith('.slow.test.ts')
  const together = files.filter((file) => !isAlone(file))
  const lists = files.filter(isAlone).map((file) => [file])
  while (together.length > 0) {
    const share = Math.max(2, Math.ceil(together.length / (2 * kind.processesAtATime)))
    lists.push(together.splice(0, Math.min(share, kind.filesPerProcess)))
  }
  return lists
}

/** Runs the tests of some files in a process of their own and returns how it ended and what it printed. */
function runFiles(files) {
  const options = ['--test-isolation=none', '--test-reporter=spec', `--test-timeout=${kind.testLimitMs}`]
  const limit = { timeoutMs: processLimitMs, killSignal: 'SIGKILL' }
  return capture(process.execPath, ['--test', ...options, ...files], { cwd: root, ...limit })
}

process.env.TEST_DATABASE_URL = (await ensureTestServer()).url()
const queue = divide(named.length > 0 ? named : listFiles())
const total = { passed: 0, failed: 0 }
const failures = []

async function work() {
  for (let files = queue.shift(); files; files = queue.shift()) {
    const startedAt = performance.now()
    const { code, output } = await runFiles(files)
    const seconds = (performance.now() - startedAt) / 1000
    const [passed, failed] = ['pass', 'fail'].map((what) => Number(output.match(`ℹ ${what} (\\d+)`)?.[1] ?? 0))
    const isEmpty = /^✔ \S+\.test\.(ts|mjs) \(/m.test(output) // a file without a test counts as one of its name
    const isGood = code === 0 && passed > 0 && !isEmpty
    total.passed += passed
    total.failed += failed
    if (!isGood) failures.push({ files, output })
    console.log(`${isGood ? '✔' : '✖'} ${passed} passed in ${seconds.toFixed(1)} s: ${files.join(' ')}`)
  }
}
await Promise.all(Array.from({ length: kind.processesAtATime }, work))

for (const { files, output } of failures) console.log(`\n── failed: ${files.join(' ')}\n${output.trimEnd()}`)
// a log that keeps only its end still has which tests failed, and the first line of why
for (const { files, output } of failures) {
  const failed = output.split(/^✖ failing tests:$/m).at(-1)
  for (const [test] of failed.matchAll(/^✖ .*\n.*$/gm)) console.log(test)
  console.log(`✖ in ${files.join(' ')}`)
}
console.log(`\n${total.passed} passed, ${total.failed} failed`)
process.exitCode = failures.length > 0 || total.passed === 0 ? 1 : 0
