// npm run test:slow [-- files]: runs the tests that need minutes or an installation of their own. Under `npm test` their files
// take turns (scripts/lib/sample.mjs).

import { globSync } from 'node:fs'
import { runInForeground } from './lib/process.mjs'
import { root } from './lib/root.mjs'
import { cycleDays, sample } from './lib/sample.mjs'

const listFiles = () =>
  globSync('server/**/*.slow.test.ts', { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .sort()

const named = process.argv.slice(2)
const files = named.length > 0 ? named : listFiles()
const filesOfToday = sample.takesTurns ? sample.part('slow tests', files, cycleDays) : files
if (filesOfToday.length < files.length)
  console.log(`Today ${filesOfToday.length} of ${files.length} files have their turn.`)

const reporters = ['spec', './scripts/lib/count-reporter.mjs'].flatMap((reporter) => [
  `--test-reporter=${reporter}`,
  '--test-reporter-destination=stdout',
])
const args = [
  '--test',
  '--test-global-setup=server/src/test/global-setup.ts',
  '--test-concurrency=3', // of two cores: they often wait for what they killed
  '--test-timeout=900000',
  ...reporters,
  ...filesOfToday,
]
process.exitCode = await runInForeground(process.execPath, args, { cwd: root })
