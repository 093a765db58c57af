// Started by scripts/lighthouse.mjs, which finds what this needs: CHROMIUM_PATH, TEST_DATABASE_URL, a build.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generateReport } from 'lighthouse'
import { newPerson } from '../e2e/people.ts'
import { startProduct } from '../e2e/product.ts'
import { busy, busyAdmin } from '../e2e/scenes.ts'
import { lossesOf, missesOf, summaryOf } from '../scripts/lib/lighthouse-judge.mjs'
import { readOptions } from '../scripts/lib/lighthouse-pages.mjs'
import { passSignals } from '../scripts/lib/process.mjs'
import { root } from '../scripts/lib/root.mjs'
import { command, Stop } from '../scripts/lib/stop.mjs'
import { endAudits } from './audit.mjs'
import { measure } from './measure.mjs'
import { head, machine, missLine, row } from './print.mjs'

const reports = join(root, 'test-results/lighthouse')

await command(async () => {
  const { pages, runs } = readOptions(process.argv.slice(2))
  rmSync(reports, { recursive: true, force: true })
  mkdirSync(reports, { recursive: true })
  let interrupted = false
  const stopPassing = passSignals(() => {
    interrupted = true
    void endAudits()
  })
  const product = await startProduct()
  const benchmarks = []
  let missed = 0
  try {
    const person = () => newPerson(product)
    // who visits the pages of each kind; public ones are for nobody in particular
    const who = { owner: await busy(person), admin: await busyAdmin(product, person) }
    console.log(head(runs))
    for (const page of pages) {
      const measured = await measure(page, { url: product.url + page.path, visitor: who[page.kind], runs })
      benchmarks.push(...measured.map(({ report }) => report.environment.benchmarkIndex))
      missed += judge(page, measured) ? 0 : 1
    }
  } catch (error) {
    if (!interrupted) throw error
    throw new Stop('interrupted: not every page was measured.')
  } finally {
    stopPassing()
    await product.stop()
  }
  console.log(`\n${machine(benchmarks)}`)
  console.log(missed === 0 ? 'Every budget is kept.' : `${missed} of ${pages.length} pages miss a budget.`)
  process.exitCode = missed === 0 ? 0 : 1
})

/** Prints a page's figures, and for each miss what took the points. True when it keeps its budgets. */
function judge(page, measured) {
  const figures = measured.map((one) => one.figures)
  const summary = summaryOf(figures)
  const misses = missesOf(summary, page.kind)
  console.log(row(page, summary, figures, misses.length === 0))
  for (const miss of misses) {
    console.log(`  ${missLine(miss)}`)
    const worst = measured.find((one) => one.figures[miss.figure] === miss.is) ?? nearest(measured, summary.performance)
    if (worst.report.categories[miss.figure])
      for (const loss of lossesOf(worst.report, miss.figure, page)) console.log(`    ${loss}`)
  }
  if (misses.length > 0) console.log(`  ${keep(page, nearest(measured, summary.performance).report)}`)
  return misses.length === 0
}

/** The run whose performance is nearest to the median. */
function nearest(measured, performance) {
  const distance = ({ figures }) => Math.abs(figures.performance - performance)
  return measured.toSorted((a, b) => distance(a) - distance(b))[0]
}

/** Keeps Lighthouse's own report for reading; its path. */
function keep(page, report) {
  const name = page.path.slice(1).replaceAll('/', '-') || 'home'
  const file = join(reports, `${name}.html`)
  writeFileSync(file, generateReport(report, 'html'))
  return file
}
