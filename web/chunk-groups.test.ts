import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { test } from 'node:test'
import { chunkGroups } from './chunk-groups.ts'

const ROOT = join(import.meta.dirname, '..')

/** Returns the chunk that the first group to take a file puts it into. */
function chunkOfFile(file: string): string | null {
  const id = join(ROOT, file)
  const group = chunkGroups.find(({ name, test: takes = () => true }) => takes(id) && nameFor(name, id) !== null)
  return group ? nameFor(group.name, id) : null
}

const nameFor = (name: (typeof chunkGroups)[0]['name'], id: string) => (typeof name === 'string' ? name : name(id))

test('chunk groups name folders only', () => {
  const sources = globSync('web/src/**/*.{ts,tsx}', { cwd: ROOT, exclude: (name) => name === 'paraglide' })
  assert.ok(sources.length > 100)
  const singledOut = sources.filter((file) => chunkOfFile(file) !== chunkOfFile(join(dirname(file), 'renamed.ts')))
  assert.deepEqual(singledOut, [])
  assert.match(readFileSync(join(ROOT, 'web/vite.config.ts'), 'utf8'), /groups: chunkGroups\b/) // and there are no others
})

test('a module of the contract says in its first line what it is loaded with, and nothing else decides it', () => {
  const known = new Set([
    ...globSync('web/src/**/*.{ts,tsx}', { cwd: ROOT }).map(chunkOfFile),
    ...chunkGroups.map(({ name }) => name),
    ...globSync('locales/en/*.json', { cwd: ROOT }).map((file) => basename(file, '.json')),
  ])
  let marked = 0
  for (const file of globSync('contract/src/*.ts', { cwd: ROOT })) {
    const chunk = /^\/\/ chunk: ([\w-]+)/.exec(readFileSync(join(ROOT, file), 'utf8'))?.[1] ?? null
    assert.equal(chunkOfFile(file), chunk, file)
    if (chunk === null) continue
    assert.ok(known.has(chunk), `${file} names the chunk ${chunk}, of which there is none`)
    marked += 1
  }
  assert.ok(marked > 10)
})
