import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'

const ROOT = join(import.meta.dirname, '../../..')
const DOCUMENT = 'docs/several-machines.md'
/** Files of which every statement is in the table, or named as rare. */
const WHOLE_FILES = ['server/src/messages/queries.ts', 'server/src/notifications/queries.ts']

type Row = { file: string; name: string; keys: string[] }

const document = readFileSync(join(ROOT, DOCUMENT), 'utf8')
const rows: Row[] = [...document.matchAll(/^\|[^|]*\| `([\w/.-]+)` `(\w+)` \|([^|]*)\|/gm)].map(
  ([, file, name, keys]) => ({
    file: file!,
    name: name!,
    keys: [...keys!.matchAll(/`(\w+)`/g)].map(([, key]) => key!),
  }),
)
const rare = [...(/^Rare, and not divided: (.*)$/m.exec(document)?.[1] ?? '').matchAll(/`(\w+)`/g)].map(
  ([, name]) => name,
)

/** Returns the exported functions of a file that have a statement, with their source. */
function statementsOf(file: string): Map<string, string> {
  const parts = readFileSync(join(ROOT, file), 'utf8').split(/^(?=export )/m)
  const named = parts.flatMap((source) => {
    const name = /^export (?:const|async function|function) (\w+)/.exec(source)?.[1]
    return name && /\b(db|tx)(<[^`]*>)?`\s*(select|insert|update|delete|with)\b/s.test(source)
      ? [[name, source] as const]
      : []
  })
  return new Map(named)
}

/** Whether a statement finds its rows by a column: compares it, joins by it, or writes a row under it. */
const isFoundBy = (source: string, key: string) =>
  new RegExp(`\\b${key} (=|is not distinct from|in) `).test(source) ||
  new RegExp(`insert into [\\w.]+[^(]*\\([^)]*\\b${key}\\b`, 's').test(source) ||
  new RegExp(`from unnest\\([\\s\\S]*\\bas (\\w+ )?\\([^)]*\\b${key}\\b`).test(source)

describe('the table of hot statements', () => {
  test('names statements that exist and are found by the keys it says', () => {
    assert.ok(rows.length > 15, `${rows.length} rows`)
    const problems = rows.flatMap(({ file, name, keys }) => {
      const source = statementsOf(file).get(name)
      if (source === undefined) return [`${file} has no statement ${name}`]
      if (keys.length === 0) return [`${name} has no key`]
      return keys.filter((key) => !isFoundBy(source, key)).map((key) => `${name} is not found by ${key}`)
    })
    assert.deepEqual(problems, [])
  })

  test('has every statement of the messages and notifications', () => {
    const listed = new Set([...rows.map(({ name }) => name), ...rare])
    const missing = WHOLE_FILES.flatMap((file) => [...statementsOf(file).keys()].filter((name) => !listed.has(name)))
    assert.deepEqual(missing, [])
    for (const name of rare)
      assert.ok(
        WHOLE_FILES.some((file) => statementsOf(file).has(name!)),
        `${name} is gone`,
      )
  })

  test('would notice a statement that is found by something else', () => {
    const statement = 'export const f = (db) => db`select id from notifications where type = 1`'
    assert.equal(isFoundBy(statement, 'user_id'), false)
    assert.equal(isFoundBy(statement, 'type'), true)
  })
})
