// npm run build: the web app into web/build, if its sources changed.

import { runCommand } from './lib/cli-error.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { ensureBuilt } from './lib/web-build.mjs'

await runCommand(async () => {
  await ensureInstalled()
  const built = await ensureBuilt()
  if (!built) process.stderr.write('The web app is up to date.\n')
})
