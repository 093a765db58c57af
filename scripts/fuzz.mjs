// npm run fuzz [-- --requests 10000 --seed 1]: sends requests of any kind to every route, by everybody. The seed of a run that
// failed repeats it.
import { parseArgs } from 'node:util'
import { CliError, runCommand } from './lib/cli-error.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { childEnvironment } from './lib/node-runtime.mjs'
import { runInForeground } from './lib/process.mjs'
import { root } from './lib/root.mjs'

const maxSeed = 2 ** 31

await runCommand(async () => {
  const { values } = parseArgs({
    options: {
      requests: { type: 'string', default: '10000' },
      seed: { type: 'string', default: String(Math.floor(Math.random() * maxSeed)) },
    },
  })
  for (const [name, value] of Object.entries(values))
    if (!/^\d+$/.test(value)) throw new CliError(`--${name} must be a whole number.`)
  await ensureInstalled()
  const env = childEnvironment({ FUZZ_REQUESTS: values.requests, FUZZ_SEED: values.seed })
  const args = ['--test', '--test-reporter=spec', 'server/src/test/fuzz/fuzz.test.ts']
  process.exitCode = await runInForeground('node', args, { cwd: root, env })
})
