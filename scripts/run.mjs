// node scripts/run.mjs <program> [arguments]: runs one of the project's programs on the project's Node, installing first.

import { artefactCommands } from './lib/artefact-manifest.mjs'
import { CliError, runCommand } from './lib/cli-error.mjs'
import { ensureInstalled, ensureInstalledForCommand } from './lib/install.mjs'
import { childEnvironment, envFileFlags } from './lib/node-runtime.mjs'
import { runInForeground } from './lib/process.mjs'
import { root } from './lib/root.mjs'

await runCommand(async () => {
  const [program, ...given] = process.argv.slice(2)
  if (!program) throw new CliError('say what to run: node scripts/run.mjs <program> [arguments]')
  await (isOperatorCommand(program, given) ? ensureInstalledForCommand() : ensureInstalled())
  // a developer's settings apply to the product, not to its tests
  const args = program === 'node' && !given.includes('--test') ? [...envFileFlags(), ...given] : given
  const shell = process.platform === 'win32' && program !== 'node'
  process.exitCode = await runInForeground(program, args, { cwd: root, env: childEnvironment(), shell })
})

/** Returns whether it is one of the commands that are run beside a server. */
function isOperatorCommand(program, [file]) {
  return program === 'node' && Object.values(artefactCommands).some((name) => file === `server/src/${name}.ts`)
}
