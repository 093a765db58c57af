// npm test: everything. One step or group alone: npm test -- --only=check (or types, lint, texts, unit, build, browser, slow).
import { parseArgs } from 'node:util'
import { ensureInstalled } from './lib/install.mjs'
import { runSteps } from './lib/run-steps.mjs'
import { checkSteps, filesEndingIn, steps } from './lib/steps.mjs'
import { command, Stop } from './lib/stop.mjs'

await command(async () => {
  const names = stepsOf(readOnly())
  await ensureInstalled()
  await runSteps(names)
})

function stepsOf(only) {
  if (only === undefined) return Object.keys(steps).filter((name) => name !== 'slow' || hasSlowTests())
  if (only === 'check') return checkSteps
  if (only === 'browser') return ['build', 'browser'] // the journeys run on the web app as it is now
  if (only in steps) return [only]
  throw new Stop(`there is no step ${only}; the steps are check, ${Object.keys(steps).join(', ')}.`)
}

function hasSlowTests() {
  return filesEndingIn('.slow.test.ts', 'server').length > 0
}

function readOnly() {
  try {
    return parseArgs({ options: { only: { type: 'string' } } }).values.only
  } catch (error) {
    throw new Stop(error.message)
  }
}
