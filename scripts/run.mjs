// node scripts/run.mjs <program> [arguments]: runs one of the project's programs on the project's Node, installing first.
import { ensureInstalled } from './lib/install.mjs'
import { envFileFlags, environment } from './lib/node26.mjs'
import { runInForeground } from './lib/process.mjs'
import { root } from './lib/root.mjs'
import { command, Stop } from './lib/stop.mjs'

await command(async () => {
  const [program, ...given] = process.argv.slice(2)
  if (!program) throw new Stop('say what to run: node scripts/run.mjs <program> [arguments]')
  await ensureInstalled()
  const args = program === 'node' ? [...envFileFlags(), ...given] : given
  const shell = process.platform === 'win32' && program !== 'node'
  process.exitCode = await runInForeground(program, args, { cwd: root, env: environment(), shell })
})
