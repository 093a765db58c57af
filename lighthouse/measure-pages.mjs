import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generateReport } from 'lighthouse'
import { newPerson } from '../e2e/support/people.ts'
import { createPopulatedAdmin, createPopulatedUser } from '../e2e/support/populated-user.ts'
import { startProduct } from '../e2e/support/product.ts'
import { CliError } from '../scripts/lib/cli-error.mjs'
import { forwardSignals } from '../scripts/lib/process.mjs'
import { root } from '../scripts/lib/root.mjs'
import { cancelAudits } from './audit.mjs'
import { explainLosses, findMisses, summarize } from './budgets.mjs'
import { measure } from './measure.mjs'
import { machineNote, missLine, tableHead, tableRow } from './print.mjs'

const reports = join(root, 'test-results/lighthouse')

/** Measures pages `runs` times each, prints their figures, and sets the exit code when one misses a budget. */
export async function measurePages({ pages, runs }) {
  rmSync(reports, { recursive: true, force: true })
  mkdirSync(reports, { recursive: true })
  let interrupted = false
  const stopPassing = forwardSignals(() => {
    interrupted = true
    void cancelAudits()
  })
  const product = await startProduct()
  const benchmarks = []
  let missed = 0
  try {
    const person = () => newPerson(product)
    // the visitor of the pages of each kind; public ones have none
    const visitors = { owner: await createPopulatedUser(person), admin: await createPopulatedAdmin(product, person) }
    console.log(tableHead(runs))
    for (const page of pages) {
      const measured = await measure(page, { url: product.url + page.path, visitor: visitors[page.kind], runs })
      benchmarks.push(...measured.map(({ report }) => report.environment.benchmarkIndex))
      missed += printResult(page, measured) ? 0 : 1
    }
  } catch (error) {
    if (!interrupted) throw error
    throw new CliError('interrupted: not every page was measured.')
  } finally {
    stopPassing()
    await product.stop()
  }
  console.log(`\n${machineNote(benchmarks)}`)
  console.log(missed === 0 ? 'Every budget is met.' : `${missed} of ${pages.length} pages miss a budget.`)
  process.exitCode = missed === 0 ? 0 : 1
}

/** Prints a page's figures, and for each miss what took the points. Returns whether the page is within its budgets. */
function printResult(page, measured) {
  const figures = measured.map((one) => one.figures)
  const summary = summarize(figures)
  const misses = findMisses(summary, page.kind)
  console.log(tableRow(page, summary, figures, misses.length === 0))
  for (const miss of misses) {
    console.log(`  ${missLine(miss)}`)
    const worst =
      measured.find((one) => one.figures[miss.figure] === miss.is) ?? nearestToMedian(measured, summary.performance)
    if (worst.report.categories[miss.figure])
      for (const loss of explainLosses(worst.report, miss.figure, page)) console.log(`    ${loss}`)
  }
  if (misses.length > 0) console.log(`  ${saveReport(page, nearestToMedian(measured, summary.performance).report)}`)
  return misses.length === 0
}

/** Returns the run whose performance is nearest to the median. */
function nearestToMedian(measured, performance) {
  const distance = ({ figures }) => Math.abs(figures.performance - performance)
  return measured.toSorted((a, b) => distance(a) - distance(b))[0]
}

/** Saves Lighthouse's own report for reading, and returns its path. */
function saveReport(page, report) {
  const name = page.path.slice(1).replaceAll('/', '-') || 'home'
  const file = join(reports, `${name}.html`)
  writeFileSync(file, generateReport(report, 'html'))
  return file
}
