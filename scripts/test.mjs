// npm test: installs, then runs every check as the package script of its name, and prints what each took.
// npm run test:full: the same with nothing sampled and no test left to another day; a test that needed a second try fails it.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CliError, runCommand } from './lib/cli-error.mjs'
import { readFaultyTests } from './lib/faulty-tests.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { childEnvironment } from './lib/node-runtime.mjs'
import { capture, forwardSignals, runInForeground } from './lib/process.mjs'
import { root } from './lib/root.mjs'
import { createSample } from './lib/sample.mjs'

/**
 * What runs after one another. In a stage the first step shows what it prints; beside it run chains of steps, whose output
 * follows. Unit tests often wait for a database and slow ones for what they killed, which leaves time to the checks and the
 * build. Browser tests have the machine to themselves: beside other tests some needed a second try. So have the slow ones of a whole
 * run, whose limits leave no room for a machine that is busy with other things.
 */
const listStages = (isFull) => [
  {
    step: 'test:unit',
    beside: [
      ['build', ...(isFull ? [] : ['test:slow'])], // slow tests start what is built
      ['browsers', 'typecheck', 'lint', 'check:content'],
    ],
  },
  ...(isFull ? [{ step: 'test:slow' }] : []),
  { step: 'test:e2e' },
  { step: 'test:timing' }, // after the others: it measures how long things take
]

/** What a log that keeps only its end still has of a step that failed long before. */
const tailLines = 25
/** A step that hangs ends after this long as failed, and the others still run. */
const stepLimitMinutes = 25
const fullStepLimitMinutes = 180

await runCommand(async () => {
  const options = process.argv.slice(2)
  if (options.some((option) => option !== '--full')) throw new CliError('the only option is --full.')
  await ensureInstalled()

  let interrupted = false
  const stopForwarding = forwardSignals(() => {
    interrupted = true
  })
  const isFull = options.includes('--full') || process.env.TEST_FULL === '1'
  const sample = createSample({ TEST_SEED: process.env.TEST_SEED, TEST_FULL: isFull ? '1' : '' })
  // the day is the same for all steps, also when the run goes on past midnight
  const ownFolder = mkdtempSync(join(tmpdir(), 'platenote-test-'))
  const faultyFile = join(ownFolder, 'faulty-tests')
  const env = childEnvironment({
    TEST_SEED: sample.seed,
    TEST_FULL: isFull ? '1' : '',
    TEST_TURNS: isFull ? '' : '1',
    FAULTY_TESTS_FILE: faultyFile,
  })
  const shell = process.platform === 'win32'
  const start = (name, run, more) => run('npm', ['run', '--silent', name], { cwd: root, env, shell, ...more })
  const limitMinutes = isFull ? fullStepLimitMinutes : stepLimitMinutes
  const outcomes = []
  /** After a failure the others run too: one run tells everything that has to be fixed. */
  const runStep = async (name, run) => {
    const startedAt = performance.now()
    const { ok, output } = await run()
    outcomes.push({ name, ok, output, seconds: (performance.now() - startedAt) / 1000 })
  }
  const runVisibly = (name) => {
    console.log(`\n── ${name}`)
    return runStep(name, async () => {
      const startedAt = performance.now()
      const code = await start(name, runInForeground, { limitMs: limitMinutes * 60_000 })
      const isOver = performance.now() - startedAt >= limitMinutes * 60_000
      if (isOver) console.log(`${name} did not end within ${limitMinutes} minutes.`)
      return { ok: code === 0 }
    })
  }
  /** Runs steps one after the other and returns what they printed. */
  const runChain = async (names) => {
    const printed = []
    for (const name of names) {
      if (interrupted) break
      await runStep(name, async () => {
        const { code, output } = await start(name, capture, { timeoutMs: limitMinutes * 60_000 })
        printed.push(`\n── ${name}\n${output.trimEnd()}`)
        return { ok: code === 0, output }
      })
    }
    return printed.join('\n')
  }

  console.log(sample.description)
  const startedAt = performance.now()
  for (const { step, beside = [] } of listStages(isFull)) {
    if (interrupted) break
    const [, ...outputs] = await Promise.all([runVisibly(step), ...beside.map(runChain)])
    for (const output of outputs) console.log(output)
  }
  const seconds = (performance.now() - startedAt) / 1000
  stopForwarding()
  const { secondTries, lines } = readFaultyTests(faultyFile)
  rmSync(ownFolder, { recursive: true, force: true })

  for (const { name, ok, output } of outcomes)
    if (!ok && output)
      console.log(`\n── ${name} ended with\n${output.trimEnd().split('\n').slice(-tailLines).join('\n')}`)
  console.log('\n── summary')
  for (const { name, ok, seconds } of outcomes)
    console.log(`${name.padEnd(13)} ${ok ? 'ok    ' : 'FAILED'} ${seconds.toFixed(1).padStart(6)} s`)
  console.log(`${'all'.padEnd(20)} ${seconds.toFixed(1).padStart(6)} s`)
  for (const line of lines) console.log(line)
  console.log(`second tries: ${secondTries}`)
  console.log(sample.description)
  const failed = outcomes.filter(({ ok }) => !ok).map(({ name }) => name)
  if (failed.length > 0) console.log(`Failed: ${failed.join(', ')}`)
  const hidesRace = isFull && secondTries > 0
  if (hidesRace) console.log('Failed: a whole run may not need a second try, which hides a race.')
  if (interrupted) console.log('Interrupted: the other steps did not run.')
  process.exitCode = interrupted || failed.length > 0 || hidesRace ? 1 : 0
})
