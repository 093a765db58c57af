import { recordFaultyTests } from './faulty-tests.mjs'

/**
 * Reports `N passed, N failed` at the end of a node:test run. A file without a single test, which node:test reports as one
 * passed test of its own name, counts as failed; so does a run without any test.
 */
// biome-ignore lint/style/noDefaultExport: node:test takes the default export of a reporter's file
export default async function* countReporter(source) {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  const failedNames = []
  for await (const { type, data } of source) {
    if (type !== 'test:pass' && type !== 'test:fail') continue
    if (data.details?.type === 'suite') continue
    if (data.skip !== undefined || data.todo !== undefined) counts.skipped += 1
    else if (type === 'test:fail') {
      counts.failed += 1
      failedNames.push(data.name)
    } else if (data.nesting === 0 && /\.(ts|mjs)$/.test(data.name)) {
      counts.failed += 1
      failedNames.push(data.name)
      yield `No test in ${data.name}\n`
    } else counts.passed += 1
  }
  const isEmpty = counts.passed + counts.failed === 0
  if (isEmpty) yield 'No test ran\n'
  if (isEmpty || counts.failed > 0) process.exitCode = 1
  recordFaultyTests(
    0,
    failedNames.map((name) => `✖ ${name}`),
  )
  yield `${counts.passed} passed, ${counts.failed} failed${counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''}\n`
}
