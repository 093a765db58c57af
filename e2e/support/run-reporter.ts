import type { FullConfig, FullResult, Reporter, Suite, TestCase, TestResult } from '@playwright/test/reporter'
import { sample } from '../../scripts/lib/sample.mjs'
import { addSecondTries } from '../../scripts/lib/second-tries.mjs'
import { OTHER_DAY } from './turns.ts'

/** Prints which part of the tests a run takes, and how many second tries it needed: each of them hides a race. */
// biome-ignore lint/style/noDefaultExport: Playwright takes the default export of a reporter's file
export default class RunReporter implements Reporter {
  #retried: string[] = []
  #otherDays = 0

  onBegin(_config: FullConfig, suite: Suite): void {
    console.log(sample.description)
    if (sample.runsAll) return
    for (const test of suite.allTests())
      for (const { type, description } of test.annotations)
        if (type === 'sample') console.log(`  ${test.title}: ${description}`)
  }

  onTestEnd(test: TestCase, { retry, annotations }: TestResult): void {
    if (annotations.some(({ description }) => description === OTHER_DAY)) this.#otherDays += 1
    if (retry > 0) this.#retried.push(test.titlePath().filter(Boolean).join(' › '))
  }

  onEnd(_result: FullResult): void {
    if (this.#otherDays > 0) console.log(`${this.#otherDays} tests have their turn on another day`)
    addSecondTries(this.#retried.length)
    console.log(`second tries: ${this.#retried.length}`)
    for (const title of this.#retried) console.log(`  ${title}`)
  }
}
