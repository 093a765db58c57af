import type { BrowserContext } from '@playwright/test'

/** What no page may do unless a test says so. */
export type PageGuard = {
  /** What this test brings about on purpose: compared with the offence's line, such as `404 GET /api/messages`. */
  allow(...expected: RegExp[]): void
  /** Watches every page of a context. */
  attach(context: BrowserContext): Promise<void>
  problems(): string[]
}

/** Playwright's trace reads pictures the page made itself again; no page of ours does, and without a trace it is silent. */
const TRACE_VIEWER_NOISE = /^console: (Connecting to 'blob:|policy violated: connect-src blob )/

/** Runs in the page, which this file knows no types of. */
const REPORT_VIOLATIONS = `document.addEventListener('securitypolicyviolation', (event) =>
  console.error('policy violated: ' + event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sourceFile))`

/** Collects console errors, exceptions, violations of the content security policy and answers of 400 and above. */
export function createPageGuard(): PageGuard {
  const allowed: RegExp[] = []
  const found: string[] = []
  return {
    allow: (...expected) => void allowed.push(...expected),
    async attach(context) {
      await context.addInitScript({ content: REPORT_VIOLATIONS })
      context.on('console', (message) => {
        // an answer of 400 and above is found below, with its method
        if (message.type() !== 'error' || message.text().includes('responded with a status of')) return
        found.push(`console: ${message.text()} (${message.location().url})`)
      })
      context.on('weberror', (error) => found.push(`exception: ${error.error().stack ?? error.error().message}`))
      context.on('response', (response) => {
        if (response.status() < 400) return
        const { pathname, search } = new URL(response.url())
        found.push(`${response.status()} ${response.request().method()} ${pathname}${search}`)
      })
    },
    problems: () => found.filter((line) => ![TRACE_VIEWER_NOISE, ...allowed].some((expected) => expected.test(line))),
  }
}
