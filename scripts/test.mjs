// npm test: everything. One step or group alone: npm test -- --only=check (or types, lint, texts, unit, build, browser, slow).
import { parseArgs } from 'node:util'
import { CliError, runCommand } from './lib/cli-error.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { runSteps } from './lib/run-steps.mjs'
import { checkSteps, findFiles, steps } from './lib/steps.mjs'

await runCommand(async () => {
  const names = selectSteps(parseOnlyOption())
  await ensureInstalled()
  await runSteps(names)
})

function selectSteps(only) {
  if (only === undefined) return Object.keys(steps).filter((name) => name !== 'slow' || hasSlowTests())
  if (only === 'check') return checkSteps
  if (only === 'browser') return ['build', 'browser'] // the browser tests run on the web app as it is now
  if (only in steps) return [only]
  throw new CliError(`there is no step ${only}; the steps are check, ${Object.keys(steps).join(', ')}.`)
}

function hasSlowTests() {
  return findFiles('.slow.test.ts', 'server').length > 0
}

function parseOnlyOption() {
  try {
    return parseArgs({ options: { only: { type: 'string' } } }).values.only
  } catch (error) {
    throw new CliError(error.message)
  }
}
