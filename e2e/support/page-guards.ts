import type { BrowserContext } from '@playwright/test'

/** Reports what no page may do unless a test allows it. */
export type PageGuard = {
  /** Allows what this test causes on purpose, by patterns for lines such as `404 GET /api/messages`. */
  allow(...expected: RegExp[]): void
  /** Watches every page of a context. */
  attach(context: BrowserContext): Promise<void>
  problems(): string[]
}

/** Playwright's trace viewer fetches images that the page itself created; only a run with a trace complains about them. */
const TRACE_VIEWER_NOISE = /^console: (Connecting to 'blob:|policy violated: connect-src blob )/

/** Runs in the page; a string, because this file has no types of the DOM. */
const REPORT_VIOLATIONS = `document.addEventListener('securitypolicyviolation', (event) =>
  console.error('policy violated: ' + event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sourceFile))`

/** Collects console errors, exceptions, violations of the content security policy and responses of 400 and above. */
export function createPageGuard(): PageGuard {
  const allowed: RegExp[] = []
  const found: string[] = []
  return {
    allow: (...expected) => void allowed.push(...expected),
    async attach(context) {
      await context.addInitScript({ content: REPORT_VIOLATIONS })
      context.on('console', (message) => {
        // responses of 400 and above are reported below, with their method
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
