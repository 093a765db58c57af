// npm test: installs, then runs every check as the package script of its name, and prints what each took.
// npm run test:full: the same with nothing sampled.

import { CliError, runCommand } from './lib/cli-error.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { childEnvironment } from './lib/node-runtime.mjs'
import { forwardSignals, runInForeground } from './lib/process.mjs'
import { root } from './lib/root.mjs'

const steps = ['typecheck', 'lint', 'check:content', 'test:unit', 'build', 'test:e2e', 'test:slow']

await runCommand(async () => {
  const options = process.argv.slice(2)
  if (options.some((option) => option !== '--full')) throw new CliError('the only option is --full.')
  await ensureInstalled()

  let interrupted = false
  const stopForwarding = forwardSignals(() => {
    interrupted = true
  })
  const env = childEnvironment(options.includes('--full') ? { TEST_FULL: '1' } : {})
  const outcomes = []
  for (const name of steps) {
    console.log(`\n── ${name}`)
    const startedAt = performance.now()
    // after a failure too: one run tells all there is to mend
    const code = await runInForeground('npm', ['run', '--silent', name], {
      cwd: root,
      env,
      shell: process.platform === 'win32',
    })
    outcomes.push({ name, ok: code === 0, seconds: (performance.now() - startedAt) / 1000 })
    if (interrupted) break
  }
  stopForwarding()

  console.log('\n── summary')
  for (const { name, ok, seconds } of outcomes)
    console.log(`${name.padEnd(13)} ${ok ? 'ok    ' : 'FAILED'} ${seconds.toFixed(1).padStart(6)} s`)
  console.log(
    `${'all'.padEnd(20)} ${outcomes
      .reduce((sum, { seconds }) => sum + seconds, 0)
      .toFixed(1)
      .padStart(6)} s`,
  )
  const failed = outcomes.filter(({ ok }) => !ok).map(({ name }) => name)
  if (failed.length > 0) console.log(`Failed: ${failed.join(', ')}`)
  if (interrupted) console.log('Interrupted: the other steps did not run.')
  process.exitCode = interrupted || failed.length > 0 ? 1 : 0
})
