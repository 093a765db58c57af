import type { FullConfig, FullResult, Reporter, Suite, TestCase, TestResult } from '@playwright/test/reporter'
import { recordFaultyTests } from '../../scripts/lib/faulty-tests.mjs'
import { sample } from '../../scripts/lib/sample.mjs'
import { OTHER_DAY } from './turns.ts'

/** Prints which part of the tests a run takes, and which failed or needed a second try: each of these hides a race. */
// biome-ignore lint/style/noDefaultExport: Playwright takes the default export of a reporter's file
export default class RunReporter implements Reporter {
  #retried: string[] = []
  #tests: TestCase[] = []
  #otherDays = 0

  onBegin(_config: FullConfig, suite: Suite): void {
    console.log(sample.description)
    this.#tests = suite.allTests()
    if (sample.runsAll) return
    for (const test of this.#tests)
      for (const { type, description } of test.annotations)
        if (type === 'sample') console.log(`  ${test.title}: ${description}`)
  }

  onTestEnd(test: TestCase, { retry, annotations }: TestResult): void {
    if (annotations.some(({ description }) => description === OTHER_DAY)) this.#otherDays += 1
    if (retry > 0) this.#retried.push(titleOf(test))
  }

  onEnd(_result: FullResult): void {
    if (this.#otherDays > 0) console.log(`${this.#otherDays} tests have their turn on another day`)
    const failed = this.#tests.filter((test) => test.outcome() === 'unexpected').map(titleOf)
    const passed = this.#retried.filter((title) => !failed.includes(title))
    recordFaultyTests(this.#retried.length, [
      ...failed.map((title) => `✖ ${title}`),
      ...passed.map((title) => `passed when repeated: ${title}`),
    ])
    console.log(`second tries: ${this.#retried.length}`)
    for (const title of this.#retried) console.log(`  ${title}`)
  }
}

const titleOf = (test: TestCase) => test.titlePath().filter(Boolean).join(' › ')
