// npm test: installs, then runs every check, the same ones every day, and prints what each took.
// npm run test:full: adds what takes machines apart (*.slow.test.ts), the exhaustive matrices and other browsers.

import { CliError, runCommand } from './lib/cli-error.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { childEnvironment } from './lib/node-runtime.mjs'
import { capture } from './lib/process.mjs'
import { root } from './lib/root.mjs'

/**
 * What runs after one another. In a stage the first step shows what it prints; beside it run chains of steps, whose output
 * follows. Unit tests often wait for a database, which leaves time to the checks and the build. Browser tests, slow ones and those
 * that measure time have the machine to themselves. Types are checked after the build: both write the texts of the web app, and a build
 * that read them meanwhile missed some.
 */
const listStages = (isFull) => [
  { step: 'test:unit', beside: [['browsers'], ['build', 'typecheck', 'lint', 'check:content']] },
  ...(isFull ? [{ step: 'test:unit -- --slow' }] : []), // they start what is built
  { step: 'test:e2e' },
  { step: 'test:unit -- --timing' },
]

/** What a log that keeps only its end still has of a step that failed long before. */
const tailLines = 25
/** A step that hangs ends after this long as failed, and the others still run. */
const stepLimitMinutes = 90
const fullStepLimitMinutes = 180

await runCommand(async () => {
  const options = process.argv.slice(2)
  if (options.some((option) => option !== '--full')) throw new CliError('the only option is --full.')
  await ensureInstalled()

  const isFull = options.includes('--full') || process.env.TEST_FULL === '1'
  const timeoutMs = (isFull ? fullStepLimitMinutes : stepLimitMinutes) * 60_000
  const env = childEnvironment({ TEST_FULL: isFull ? '1' : '' })
  const outcomes = []
  /** Runs a package script. After a failure the others run too: one run tells everything that has to be fixed. */
  const runStep = async (step, isShown) => {
    const startedAt = performance.now()
    const args = ['run', '--silent', ...step.split(' ')]
    const { code, output } = await capture('npm', args, {
      cwd: root,
      env,
      shell: process.platform === 'win32',
      timeoutMs,
      isShown,
    })
    outcomes.push({ step, ok: code === 0, output: output.trimEnd(), seconds: (performance.now() - startedAt) / 1000 })
    return `\n── ${step}\n${output.trimEnd()}`
  }
  /** Runs steps one after the other and returns what they printed. */
  const runChain = async (steps) => {
    const printed = []
    for (const step of steps) printed.push(await runStep(step, false))
    return printed.join('\n')
  }

  const startedAt = performance.now()
  for (const { step, beside = [] } of listStages(isFull)) {
    console.log(`\n── ${step}`)
    const [, ...outputs] = await Promise.all([runStep(step, true), ...beside.map(runChain)])
    for (const output of outputs) console.log(output)
  }
  const seconds = (performance.now() - startedAt) / 1000

  const failed = outcomes.filter(({ ok }) => !ok)
  for (const { step, output } of failed)
    console.log(`\n── ${step} ended with\n${output.split('\n').slice(-tailLines).join('\n')}`)
  console.log('\n── summary')
  for (const { step, ok, seconds } of outcomes)
    console.log(`${step.padEnd(21)} ${ok ? 'ok    ' : 'FAILED'} ${seconds.toFixed(1).padStart(6)} s`)
  console.log(`${'all'.padEnd(28)} ${seconds.toFixed(1).padStart(6)} s`)
  if (failed.length > 0) console.log(`Failed: ${failed.map(({ step }) => step).join(', ')}`)
  process.exitCode = failed.length > 0 ? 1 : 0
})
