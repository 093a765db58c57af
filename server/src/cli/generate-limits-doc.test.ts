import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { renderLimitsDoc } from './generate-limits-doc.ts'

test('docs/limits.md is what the table in limits.ts generates', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/limits.md'), 'utf8')
  assert.equal(
    page,
    renderLimitsDoc(),
    'npm run --silent node -- server/src/cli/generate-limits-doc.ts > docs/limits.md',
  )
})
