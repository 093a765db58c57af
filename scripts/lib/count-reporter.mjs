// A reporter of node:test that writes what was counted as one JSON object: {"passed": 1, "failed": 0, "skipped": 0}.
// A file without a single test would be reported as one passed test of its own name: it counts as failed.
// biome-ignore lint/style/noDefaultExport: node:test takes the default export of a reporter's file
export default async function* count(source) {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  const empty = []
  for await (const { type, data } of source) {
    if (type !== 'test:pass' && type !== 'test:fail') continue
    if (data.details?.type === 'suite') continue
    if (data.skip !== undefined || data.todo !== undefined) counts.skipped += 1
    else if (type === 'test:fail') counts.failed += 1
    else if (data.nesting === 0 && /\.(ts|mjs)$/.test(data.name)) empty.push(data.name)
    else counts.passed += 1
  }
  counts.failed += empty.length
  yield JSON.stringify({ ...counts, empty })
}
