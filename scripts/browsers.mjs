// npm run browsers: installs the browsers of the tests where there are none, and prints which ones they use.

import { ensureTestBrowsers } from './lib/browser.mjs'
import { runCommand } from './lib/cli-error.mjs'

await runCommand(async () => {
  for (const [setting, path] of Object.entries(await ensureTestBrowsers())) console.log(`${setting}=${path}`)
})
