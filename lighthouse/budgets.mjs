/** The four categories of Lighthouse, in the order of its report. */
export const categories = ['performance', 'accessibility', 'best-practices', 'seo']

const perfect = { accessibility: 100, 'best-practices': 100, seo: 100 }
const scripted = { performance: 95, ...perfect, scriptBytes: 162_000 }

/**
 * The budget of a page of each kind: at least these scores of 0 to 100, at most everything else. `bytes` are those of all
 * files as transferred, with headers; `scriptBytes` those of the compressed scripts; `lcpMs` is simulated for a phone.
 */
export const budgets = {
  text: { performance: 98, ...perfect, scripts: 0, bytes: 90 * 1024, lcpMs: 1500, cls: 0 },
  plain: { performance: 98, ...perfect, scripts: 1, scriptBytes: 8_000, bytes: 90 * 1024, lcpMs: 1500, cls: 0 },
  form: scripted,
  owner: scripted,
  admin: scripted,
}

/** The figures that vary with the load of the machine: their median counts. All others must hold in every run. */
const timedFigures = ['performance', 'lcpMs']

/** The audit of whether a page may be listed; pages that must not be fail it on purpose. */
const LISTING_AUDIT = 'is-crawlable'

const isScore = (figure) => categories.includes(figure)
const sum = (numbers) => numbers.reduce((total, one) => total + one, 0)

/** Returns the median. */
export function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b)
  const [low, high] = [Math.floor((sorted.length - 1) / 2), Math.ceil((sorted.length - 1) / 2)]
  return (sorted[low] + sorted[high]) / 2
}

/** Returns why Lighthouse could not score a page, if so; such a run says nothing about the page. */
export function describeFailure({ runtimeError, categories: scores, audits }) {
  if (runtimeError) return `${runtimeError.code}: ${runtimeError.message}`
  const without = categories.find((id) => typeof scores[id]?.score !== 'number')
  if (!without) return undefined
  const broken = Object.values(audits).find(({ scoreDisplayMode }) => scoreDisplayMode === 'error')
  return `no score for ${without}${broken ? ` (${broken.id}: ${broken.errorMessage})` : ''}`
}

/**
 * Extracts what the budgets limit from one of Lighthouse's reports.
 *
 * @param page an entry of the list of pages
 * @param compressed returns the bytes of a script as it is sent, by its address
 */
export function extractFigures(report, page, compressed) {
  const requests = report.audits['network-requests'].details.items
  const scripts = requests.filter(({ resourceType }) => resourceType === 'Script').map(({ url }) => url)
  return {
    ...Object.fromEntries(categories.map((id) => [id, categoryScore(report, id, page)])),
    scripts: scripts.length,
    scriptBytes: sum([...new Set(scripts)].map(compressed)),
    bytes: sum(requests.map(({ transferSize }) => transferSize)),
    lcpMs: Math.round(report.audits['largest-contentful-paint'].numericValue),
    cls: report.audits['cumulative-layout-shift'].numericValue,
  }
}

/** Returns the score of a category, without the audit for being listed if the page must not be. */
function categoryScore(report, id, page) {
  const category = report.categories[id]
  if (id !== 'seo' || page.listed) return Math.round(category.score * 100)
  const counted = category.auditRefs
    .filter((ref) => ref.id !== LISTING_AUDIT && ref.weight > 0)
    .map(({ id, weight }) => ({ weight, score: report.audits[id].score }))
    .filter(({ score }) => score !== null)
  return Math.round(
    (100 * sum(counted.map(({ weight, score }) => weight * score))) / sum(counted.map((one) => one.weight)),
  )
}

/** Combines several runs: the median of what is timed, and the worst of everything else. */
export function summarize(runs) {
  const worst = (figure, values) => (isScore(figure) ? Math.min(...values) : Math.max(...values))
  return Object.fromEntries(
    Object.keys(runs[0]).map((figure) => {
      const values = runs.map((run) => run[figure])
      return [figure, timedFigures.includes(figure) ? median(values) : worst(figure, values)]
    }),
  )
}

/** Returns the figures of a summary that miss the budget of the page's kind, as [{figure, is, budget}]. */
export const findMisses = (summary, kind) =>
  Object.entries(budgets[kind])
    .map(([figure, budget]) => ({ figure, is: summary[figure], budget }))
    .filter(({ figure, is, budget }) => (isScore(figure) ? is < budget : is > budget))

/** Returns one line for each audit that took points from a category, the heaviest first. */
export function explainLosses(report, id, page) {
  return report.categories[id].auditRefs
    .filter((ref) => ref.weight > 0 && !(ref.id === LISTING_AUDIT && !page.listed))
    .map((ref) => ({ ...report.audits[ref.id], lost: ref.weight * (1 - (report.audits[ref.id].score ?? 1)) }))
    .filter(({ lost }) => lost > 0)
    .sort((a, b) => b.lost - a.lost)
    .map((audit) => [audit.id, audit.displayValue, ...describeLocations(audit)].filter(Boolean).join('  '))
}

const LOCATIONS_SHOWN = 3

/** Returns where an audit found something: elements, addresses, console lines. */
function describeLocations({ details }) {
  const locations = (details?.items ?? []).map(
    (item) => item.node?.selector ?? item.description ?? item.url ?? item.source,
  )
  return locations.filter((location) => typeof location === 'string').slice(0, LOCATIONS_SHOWN)
}
