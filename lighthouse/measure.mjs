import { failureOf, figuresOf } from '../scripts/lib/lighthouse-judge.mjs'
import { Stop } from '../scripts/lib/stop.mjs'
import { audit } from './audit.mjs'

/** A busy machine now and then leaves a run without a score. */
const REPEATED_AT_MOST = 3
const compressing = { headers: { 'accept-encoding': 'br' } }

/** So many runs of a page, each as Lighthouse's {report} and the {figures} the budgets limit. */
export async function measure(page, { url, visitor, runs }) {
  await fetch(url, compressing) // the server compresses a page when it is first asked for
  const measured = []
  let repeated = 0
  while (measured.length < runs) {
    const report = await audit(url, visitor)
    const failure = failureOf(report)
    if (failure) {
      if (++repeated > REPEATED_AT_MOST) throw new Stop(`${page.path} cannot be measured: ${failure}`)
      console.log(`  ${page.path}: a run is repeated, ${failure}`)
      continue
    }
    const sizes = await scriptSizes(report)
    measured.push({ report, figures: figuresOf(report, page, (script) => sizes.get(script)) })
  }
  return measured
}

/** The compressed size of every script of a report, as the server announces it. */
async function scriptSizes(report) {
  const scripts = report.audits['network-requests'].details.items.filter((one) => one.resourceType === 'Script')
  const sizes = new Map()
  for (const { url } of scripts) {
    const answer = await fetch(url, { method: 'HEAD', ...compressing })
    const bytes = Number(answer.headers.get('content-length'))
    if (!answer.ok || !bytes) throw new Error(`${url} answered ${answer.status} without saying its length`)
    sizes.set(url, bytes)
  }
  return sizes
}
