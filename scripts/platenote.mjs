#!/usr/bin/env node
// platenote <command>, in the repository: npx platenote <command>. Runs on the product's Node; installs only where nothing is
// installed yet, because a server may be running from the packages.
import { runCommand } from './lib/cli-error.mjs'
import { ensureInstalledForCommand } from './lib/install.mjs'
import { childEnvironment, envFileFlags, nodeBinary } from './lib/node-runtime.mjs'
import { runInForeground } from './lib/process.mjs'
import { root } from './lib/root.mjs'

await runCommand(async () => {
  await ensureInstalledForCommand()
  const args = [...envFileFlags(), 'server/src/cli/platenote.ts', ...process.argv.slice(2)]
  process.exitCode = await runInForeground(nodeBinary(), args, { cwd: root, env: childEnvironment() })
})
