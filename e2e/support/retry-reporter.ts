import type { FullResult, Reporter, TestCase, TestResult } from '@playwright/test/reporter'

/** Prints how many second tries a run needed, also when there were none: each hides a race, in a test or in the product. */
// biome-ignore lint/style/noDefaultExport: Playwright takes the default export of a reporter's file
export default class RetryReporter implements Reporter {
  #retried: string[] = []

  onTestEnd(test: TestCase, { retry }: TestResult): void {
    if (retry > 0) this.#retried.push(test.titlePath().filter(Boolean).join(' › '))
  }

  onEnd(_result: FullResult): void {
    console.log(`second tries: ${this.#retried.length}`)
    for (const title of this.#retried) console.log(`  ${title}`)
  }
}
