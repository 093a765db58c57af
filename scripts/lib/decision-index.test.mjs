import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { root } from './root.mjs'

const folder = join(root, 'docs/decisions')
const read = (file) => readFileSync(join(folder, file), 'utf8')

/** Returns the row of the index that a record asks for. */
function indexRow(file) {
  const text = read(file)
  const title = /^# \d{4} (.+)$/m.exec(text)?.[1]
  const status = /^- Status: ([\s\S]+?)\n\n/m.exec(text)?.[1]?.replaceAll(/\n\s*/g, ' ')
  return `| [${file.slice(0, 4)}](${file}) | ${title} | ${status} |`
}

test('the index names every decision with its title and status', () => {
  const rows = read('README.md')
    .split('\n')
    .filter((line) => line.startsWith('| ['))
  const records = readdirSync(folder).filter((file) => /^\d{4}-/.test(file))
  assert.deepEqual(rows, records.toSorted().map(indexRow))
})
