// npm run lighthouse: measures the pages of the built product as a phone would see them, and fails on a missed budget.
// Some pages, fewer runs: npm run lighthouse -- --pages=/,/fr/login --runs=1
import { join } from 'node:path'
import { ensureBrowser } from './lib/browser.mjs'
import { runCommand } from './lib/cli-error.mjs'
import { ensureInstalled, ensureInstalledIn } from './lib/install.mjs'
import { parseOptions } from './lib/lighthouse-pages.mjs'
import { childEnvironment } from './lib/node-runtime.mjs'
import { runInForeground } from './lib/process.mjs'
import { root } from './lib/root.mjs'
import { ensureBuilt } from './lib/web-build.mjs'

await runCommand(async () => {
  const args = process.argv.slice(2)
  parseOptions(args) // report a mistake before anything is installed
  await ensureInstalled()
  await ensureInstalledIn(join(root, 'lighthouse'), 'Installing Lighthouse (this command alone needs its 180 MB)')
  await ensureBuilt()
  const env = childEnvironment({ CHROMIUM_PATH: await ensureBrowser() })
  process.exitCode = await runInForeground('node', ['lighthouse/main.mjs', ...args], { cwd: root, env })
})
