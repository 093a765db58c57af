import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, posix, relative } from 'node:path'
import { test } from 'node:test'

const ROOT = join(import.meta.dirname, '../..')

/**
 * The infrastructure of the server, from the ground up: each folder or root file may import what stands before it, and nothing
 * else of the server. Everything else is a feature, which may import all of it.
 */
const INFRASTRUCTURE = [
  ...['html.ts', 'locale.ts', 'refusal.ts', 'quiet-hours.ts', 'retention.ts', 'time.ts', 'log', 'postgres'],
  ...['config.ts', 'db', 'files', 'live', 'encryption', 'secrets.ts', 'jobs', 'limits', 'context.ts', 'http', 'email'],
]

/** Files that put the server together: they may import anything, and nothing else may import them. */
const COMPOSITION_FILES = /^(?:app|hourly-cleanup|mail-renderers|main|start)\.ts$|^(?:cli|seed|test)\//

/** What every folder of the web app may import, and what imports none of them. */
const WEB_BASE = ['ui', 'lib', 'paraglide']

type Import = { file: string; target: string }

const isTest = (file: string) => /\.test\.tsx?$/.test(file)

const listSources = (tree: string) =>
  globSync(`${tree}/**/*.{ts,tsx}`, {
    cwd: ROOT,
    exclude: (name) => /^(?:build|paraglide|node_modules|\.react-router)$/.test(name),
  }).map((file) => file.replaceAll('\\', '/'))

function readImportPaths(file: string): string[] {
  const text = readFileSync(join(ROOT, file), 'utf8')
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1]!)
}

/** Returns every import of a tree's own files, both as paths inside the tree; `~/` is its root. The web app leaves endings out. */
const readImports = (tree: string): Import[] =>
  listSources(tree).flatMap((path) => {
    const file = relative(tree, path).replaceAll('\\', '/')
    return readImportPaths(path)
      .filter((target) => /^(?:\.|~\/)/.test(target) && !target.includes('+types/'))
      .map((target) => (target.startsWith('~/') ? target.slice(2) : posix.join(posix.dirname(file), target)))
      .map((target) => ({
        file,
        target:
          ['', '.ts', '.tsx'].map((end) => target + end).find((name) => existsSync(join(ROOT, tree, name))) ?? target,
      }))
  })

/** Returns the folder at the top of a tree that a file is in, or the file itself when it lies at the root. */
const topFolderOf = (file: string) => file.split('/')[0]!

/** Returns the innermost folder that a file is in, or the file itself when it lies at the root. */
const folderOf = (file: string) => (file.includes('/') ? posix.dirname(file) : file)

/** Returns the groups of folders that import each other, directly or through others. */
function findCycles(imports: Import[], toRoom: (file: string) => string): string[][] {
  const importsOf = new Map<string, Set<string>>()
  for (const { file, target } of imports) {
    const [from, to] = [toRoom(file), toRoom(target)]
    if (isTest(file) || from === to) continue
    importsOf.set(from, (importsOf.get(from) ?? new Set()).add(to))
  }
  const reachableFrom = (room: string, seen = new Set<string>()): Set<string> => {
    for (const next of importsOf.get(room) ?? []) if (!seen.has(next)) reachableFrom(next, seen.add(next))
    return seen
  }
  const reachable = new Map([...importsOf.keys()].map((room) => [room, reachableFrom(room)]))
  const inCycle = [...reachable].filter(([room, others]) => others.has(room))
  const groups = inCycle.map(([room, others]) => [...others].filter((other) => reachable.get(other)?.has(room)).sort())
  return [...new Map(groups.map((group) => [group.join(), group])).values()]
}

test('the contract imports zod, the catalogue of texts and itself only', () => {
  const offences = listSources('contract/src')
    .filter((file) => !isTest(file))
    .flatMap((file) =>
      readImportPaths(file)
        .filter(
          (path) =>
            !['zod/mini', '#texts/messages.js', '#guest/en.json'].includes(path) && !/^\.\/[a-z-]+\.ts$/.test(path),
        )
        .map((path) => `${file} → ${path}`),
    )
  assert.deepEqual(offences, [])
})

test('server and web never import each other', () => {
  const offences = [...listSources('server/src'), ...listSources('web/src')].flatMap((file) => {
    const other = file.startsWith('server') ? 'web/' : 'server/'
    return readImportPaths(file)
      .filter((path) => path.startsWith('.') && posix.join(dirname(file), path).startsWith(other))
      .map((path) => `${file} → ${path}`)
  })
  assert.deepEqual(offences, [])
})

test('server imports never reach up, into the routes of others, or for a barrel', () => {
  const offences: string[] = []
  for (const { file, target } of readImports('server/src')) {
    const [from, to] = [topFolderOf(file), topFolderOf(target)]
    if (/(?:^|\/)index\.ts$/.test(target)) offences.push(`${file} → ${target} is a barrel`)
    if (from === to || COMPOSITION_FILES.test(file) || isTest(file)) continue
    const isBelow = INFRASTRUCTURE.includes(from)
      ? INFRASTRUCTURE.slice(0, INFRASTRUCTURE.indexOf(from)).includes(to)
      : !COMPOSITION_FILES.test(target) && !target.endsWith('/routes.ts')
    if (!isBelow) offences.push(`${file} → ${target}`)
  }
  assert.deepEqual(offences, [])
})

/** The one import, of a type, by which a file knows another that imports it. */
const ALLOWED_TYPE_CYCLE = 'server/src/backup/queries.ts → backup/deletion-journal.ts'

for (const tree of ['contract/src', 'server/src', 'web/src', 'bench', 'e2e']) {
  test(`no folder and no file of ${tree} imports one that imports it back, directly or through others`, () => {
    const imports = readImports(tree)
    assert.deepEqual(findCycles(imports, topFolderOf), [])
    // each folder with its own parts, nested ones included; between the folders there is none already
    const inside = imports.filter(({ file, target }) => topFolderOf(file) === topFolderOf(target))
    assert.deepEqual(findCycles(inside, folderOf), [])
    const others = imports.filter(({ file, target }) => `${tree}/${file} → ${target}` !== ALLOWED_TYPE_CYCLE)
    assert.deepEqual(
      findCycles(others, (file) => file),
      [],
    )
  })
}

test('what every feature of the web app uses knows none of them', () => {
  const offences = readImports('web/src')
    .filter(({ file, target }) => WEB_BASE.includes(topFolderOf(file)) && !WEB_BASE.includes(topFolderOf(target)))
    .map(({ file, target }) => `${file} → ${target}`)
  assert.deepEqual(offences, [])
})

test('a table is written by its own feature only', () => {
  const owner: Record<string, string> = {}
  for (const file of globSync('server/src/*/schema.sql', { cwd: ROOT })) {
    for (const [, table] of readFileSync(join(ROOT, file), 'utf8').matchAll(/create table ([a-z_.]+)/g)) {
      owner[table!] = file.split(/[\\/]/)[2]!
    }
  }
  // the one statement of a send writes to several features' tables, and is named here (decision send-statement), and so is the one that
  // counts a note in the counts of sends; the end of an email takes along what somebody wrote on the contact page
  const shared = new Set(['messages/send-statement.ts', 'messages/count-note.ts', 'email/queries.ts'])
  const offences: string[] = []
  for (const file of listSources('server/src').filter(
    (f) => !/\.test\.ts$|^server\/src\/(?:test|cli|seed)\//.test(f),
  )) {
    const inside = file.slice('server/src/'.length)
    const text = readFileSync(join(ROOT, file), 'utf8')
    for (const [, table] of text.matchAll(/(?:insert into|delete from|\bupdate)\s+([a-z_]+(?:\.[a-z_]+)?)\s/g)) {
      const feature = owner[table!]
      if (feature && feature !== topFolderOf(inside) && !shared.has(inside)) offences.push(`${inside} writes ${table}`)
    }
  }
  assert.deepEqual(offences, [])
})
