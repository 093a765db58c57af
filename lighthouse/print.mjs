import { median } from './budgets.mjs'

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

/** Returns the head of the table. */
export const tableHead = (runs) =>
  `\nMedian performance and LCP of ${runs} run(s) a page, the worst of the rest\n\n    ${columns(...names)}`

/** Returns a page's line of the table. */
export const tableRow = (page, summary, runs, isMet) =>
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
export function missLine({ figure, is, budget }) {
  const [title, show] = titles[figure]
  return `${title}: ${show(is)}, the budget is ${show(budget)}`
}

/** Says how far the figures can be trusted: a busy machine takes points that no page has lost. */
export function machineNote(benchmarks) {
  const [low, high] = [Math.min(...benchmarks), Math.max(...benchmarks)]
  const range = `benchmarkIndex ${median(benchmarks)}, from ${low} to ${high}`
  const slow = low < SLOW_BENCHMARK
  const restless = high > low * MAX_CALM_SPREAD
  const note =
    slow || restless ? 'this machine was slow or busy: measure misses of performance again on a calm one' : 'calm'
  return `* asks not to be listed, which is not counted\nMachine: ${range} (${note})`
}
