// npm start: installs and builds what is missing or changed, then serves. Progress goes to stderr; stdout is the server's.
import { runCommand } from './lib/cli-error.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { childEnvironment, envFileFlags, nodeBinary } from './lib/node-runtime.mjs'
import { runInForeground } from './lib/process.mjs'
import { root } from './lib/root.mjs'
import { ensureBuilt } from './lib/web-build.mjs'

await runCommand(async () => {
  await ensureInstalled()
  await ensureBuilt()
  const args = [...envFileFlags(), 'server/src/main.ts', ...process.argv.slice(2)]
  process.exitCode = await runInForeground(nodeBinary(), args, { cwd: root, env: childEnvironment() })
})
