// npm run check: types, lint and format, texts, unit and HTTP tests.
import { ensureInstalled } from './lib/install.mjs'
import { runSteps } from './lib/run-steps.mjs'
import { checkSteps } from './lib/steps.mjs'
import { command } from './lib/stop.mjs'

await command(async () => {
  await ensureInstalled()
  await runSteps(checkSteps)
})
