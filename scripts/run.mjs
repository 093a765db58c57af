// node scripts/run.mjs <program> [arguments]: runs one of the project's programs on the project's Node, installing first.

import { CliError, runCommand } from './lib/cli-error.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { childEnvironment, envFileFlags } from './lib/node-runtime.mjs'
import { runInForeground } from './lib/process.mjs'
import { root } from './lib/root.mjs'

await runCommand(async () => {
  const [program, ...given] = process.argv.slice(2)
  if (!program) throw new CliError('say what to run: node scripts/run.mjs <program> [arguments]')
  await ensureInstalled()
  // a developer's settings apply to the product, not to its tests
  const args = program === 'node' && !given.includes('--test') ? [...envFileFlags(), ...given] : given
  const shell = process.platform === 'win32' && program !== 'node'
  process.exitCode = await runInForeground(program, args, { cwd: root, env: childEnvironment(), shell })
})
