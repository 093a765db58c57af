// npm run check: types, lint and format, texts, unit and HTTP tests.

import { runCommand } from './lib/cli-error.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { runSteps } from './lib/run-steps.mjs'
import { checkSteps } from './lib/steps.mjs'

await runCommand(async () => {
  await ensureInstalled()
  await runSteps(checkSteps)
})
