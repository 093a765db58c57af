import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generateReport } from 'lighthouse'
import { newPerson } from '../e2e/support/people.ts'
import { createPopulatedAdmin, createPopulatedUser } from '../e2e/support/populated-user.ts'
import { startProduct } from '../e2e/support/product.ts'
import { CliError } from '../scripts/lib/cli-error.mjs'
import { forwardSignals } from '../scripts/lib/process.mjs'
import { root } from '../scripts/lib/root.mjs'
import { audit, cancelAudits } from './audit.mjs'
import { describeFailure, explainLosses, extractFigures, findMisses, median, summarize } from './budgets.mjs'

const reports = join(root, 'test-results/lighthouse')
/** On a busy machine a run sometimes has no score. */
const MAX_REPEATS = 3
const acceptBrotli = { headers: { 'accept-encoding': 'br' } }

/** Lighthouse's own threshold for warning of a slow processor. */
const SLOW_BENCHMARK = 1000
/** A processor that swings more than this from run to run is at work for others as well. */
const MAX_CALM_SPREAD = 1.5

const titles = {
  performance: ['performance', (is) => is],
  accessibility: ['accessibility', (is) => is],
  'best-practices': ['best practices', (is) => is],
  seo: ['SEO', (is) => is],
  scripts: ['script files', (is) => is],
  scriptBytes: ['compressed JavaScript', (is) => `${kB(is)} kB`],
  bytes: ['transferred in all', (is) => `${(is / 1024).toFixed(1)} KiB`],
  lcpMs: ['largest paint', (is) => `${is} ms`],
  cls: ['layout shift', (is) => Number(is.toFixed(6))],
}
const kB = (bytes) => (bytes / 1000).toFixed(1)

const columns = (...cells) => {
  const widths = [27, 5, 5, 5, 5, 8, 7, 9, 8]
  return cells.map((cell, at) => String(cell).padEnd(widths[at] ?? 0)).join('')
}

const names = ['page', 'perf', 'a11y', 'best', 'SEO', 'LCP', 'CLS', 'JS kB', 'KiB', 'performance of each run']

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

/** Measures a page `runs` times. Returns Lighthouse's {report} of each run, and the {figures} the budgets limit. */
async function measure(page, { url, visitor, runs }) {
  await fetch(url, acceptBrotli) // the server compresses a page at its first request
  const measured = []
  let repeated = 0
  while (measured.length < runs) {
    const report = await audit(url, visitor)
    const failure = describeFailure(report)
    if (failure) {
      if (++repeated > MAX_REPEATS) throw new CliError(`${page.path} cannot be measured: ${failure}`)
      console.log(`  ${page.path}: a run is repeated, ${failure}`)
      continue
    }
    const sizes = await scriptSizes(report)
    measured.push({ report, figures: extractFigures(report, page, (script) => sizes.get(script)) })
  }
  return measured
}

/** Returns the compressed size of every script of a report, as the server announces it. */
async function scriptSizes(report) {
  const scripts = report.audits['network-requests'].details.items.filter((one) => one.resourceType === 'Script')
  const sizes = new Map()
  for (const { url } of scripts) {
    const response = await fetch(url, { method: 'HEAD', ...acceptBrotli })
    const bytes = Number(response.headers.get('content-length'))
    if (!response.ok || !bytes) throw new Error(`${url} responded with ${response.status} and no length`)
    sizes.set(url, bytes)
  }
  return sizes
}

/** Returns the head of the table. */
const tableHead = (runs) =>
  `\nMedian performance and LCP of ${runs} run(s) a page, the worst of the rest\n\n    ${columns(...names)}`

/** Returns a page's line of the table. */
const tableRow = (page, summary, runs, isMet) =>
  `${isMet ? 'ok  ' : 'MISS'}${columns(
    page.path,
    summary.performance,
    summary.accessibility,
    summary['best-practices'],
    `${summary.seo}${page.listed ? '' : '*'}`,
    `${(summary.lcpMs / 1000).toFixed(2)} s`,
    Number(summary.cls.toFixed(3)),
    kB(summary.scriptBytes),
    (summary.bytes / 1024).toFixed(1),
    runs.map(({ performance }) => performance).join(' '),
  )}`

/** Returns a line that says what a page should have reached. */
function missLine({ figure, is, budget }) {
  const [title, show] = titles[figure]
  return `${title}: ${show(is)}, the budget is ${show(budget)}`
}

/** Says how far the figures can be trusted: a busy machine takes points that no page has lost. */
function machineNote(benchmarks) {
  const [low, high] = [Math.min(...benchmarks), Math.max(...benchmarks)]
  const range = `benchmarkIndex ${median(benchmarks)}, from ${low} to ${high}`
  const slow = low < SLOW_BENCHMARK
  const restless = high > low * MAX_CALM_SPREAD
  const note =
    slow || restless ? 'this machine was slow or busy: measure misses of performance again on a calm one' : 'calm'
  return `* asks not to be listed, which is not counted\nMachine: ${range} (${note})`
}
