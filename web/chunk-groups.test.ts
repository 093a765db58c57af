import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
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

test('every chunk that is named has modules', () => {
  const files = globSync(['web/src/**/*.{ts,tsx}', 'contract/src/*.ts'], { cwd: ROOT })
  const libraries = ['react', 'zod/mini', '@supabase/auth-js'].map((name) => `node_modules/${name}/index.js`)
  const chunks = new Set([...files, ...libraries].map(chunkOfFile))
  const named = chunkGroups.map(({ name }) => name).filter((name) => typeof name === 'string')
  assert.deepEqual(
    named.filter((name) => !chunks.has(name)),
    [],
  )
})
