import assert from 'node:assert/strict'
import { globSync, readFileSync, statSync } from 'node:fs'
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

test('the tables of chunk groups name folders, and besides only texts and icons (decision 0123)', () => {
  const source = readFileSync(join(import.meta.dirname, 'chunk-groups.ts'), 'utf8')
  const tables = [...source.matchAll(/^const (\w+): Record<string, string> = \{\n([\s\S]*?)^\}/gm)].map(
    ([, name, lines]) => [name!, [...lines!.matchAll(/^ {2}'?([^\s':]+)'?:/gm)].map((match) => match[1]!)] as const,
  )
  const {
    CHUNK_OF_FOLDER: folders,
    CHUNK_OF_TEXTS: texts,
    CHUNK_OF_ICON: icons,
    ...others
  } = Object.fromEntries(tables)
  assert.deepEqual(others, {})
  const isFolder = (path: string) => statSync(join(ROOT, path), { throwIfNoEntry: false })?.isDirectory() ?? false
  assert.deepEqual(
    folders!.filter((path) => path !== 'web/src/paraglide' && !isFolder(path)),
    [],
  )
  // the texts whose chunk has another name than they have; icons are files of a library, which nobody here renames
  assert.deepEqual(texts, ['common', 'auth', 'tags', 'admin'])
  assert.ok(icons!.length > 0)
})

test('a module of the contract says in its first line what it is loaded with, and nothing else decides it', () => {
  const known = new Set([
    ...globSync('web/src/**/*.{ts,tsx}', { cwd: ROOT }).map(chunkOfFile),
    ...chunkGroups.map(({ name }) => name),
    ...globSync('web/locales/en/*.json', { cwd: ROOT }).map((file) => basename(file, '.json')),
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
