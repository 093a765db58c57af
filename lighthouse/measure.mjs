import { CliError } from '../scripts/lib/cli-error.mjs'
import { audit } from './audit.mjs'
import { describeFailure, extractFigures } from './budgets.mjs'

/** On a busy machine a run sometimes has no score. */
const MAX_REPEATS = 3
const acceptBrotli = { headers: { 'accept-encoding': 'br' } }

/** Measures a page `runs` times. Returns Lighthouse's {report} of each run, and the {figures} the budgets limit. */
export async function measure(page, { url, visitor, runs }) {
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
