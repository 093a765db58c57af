import { CliError } from './cli-error.mjs'
import { forwardSignals } from './process.mjs'
import { steps } from './steps.mjs'
import { stopTestDatabase } from './test-database.mjs'

/** Runs the steps in turn, prints how each went and how long it took, and ends with `N passed, N failed` (tests). */
export async function runSteps(names) {
  let interrupted = false
  const stopPassing = forwardSignals(() => {
    interrupted = true
  })
  const outcomes = []
  for (const name of names) {
    console.log(`\n── ${name}`)
    outcomes.push(await runTimed(name))
    if (interrupted) break
  }
  stopPassing()
  stopTestDatabase()
  printSummary(outcomes)
  if (interrupted) console.log('Interrupted: the other steps did not run.')
  process.exitCode = interrupted || outcomes.some(({ ok }) => !ok) ? 1 : 0
}

async function runTimed(name) {
  const started = performance.now()
  const result = await runStep(steps[name])
  return { name, seconds: (performance.now() - started) / 1000, ...result }
}

/** A step that cannot run is a failed step; the others still run. */
async function runStep(step) {
  try {
    return await step()
  } catch (error) {
    console.error(error instanceof CliError ? error.message : error)
    return { ok: false }
  }
}

function printSummary(outcomes) {
  console.log('\n── summary')
  const sum = { passed: 0, failed: 0 }
  for (const { name, seconds, ok, passed, failed, skipped } of outcomes) {
    const tests =
      passed === undefined ? '' : `   ${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`
    console.log(`${name.padEnd(8)} ${ok ? 'ok    ' : 'FAILED'} ${seconds.toFixed(1).padStart(6)} s${tests}`)
    sum.passed += passed ?? 0
    sum.failed += failed ?? 0
  }
  const broken = outcomes.filter(({ ok }) => !ok).map(({ name }) => name)
  if (broken.length > 0) console.log(`Failed: ${broken.join(', ')}`)
  console.log(`${sum.passed} passed, ${sum.failed} failed`)
}
