import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { test } from 'node:test'

const ROOT = join(import.meta.dirname, '../..')

/** The shape of the server: which feature may import which. What is not named here (db, http, email …) is free to all. */
const SERVER_IMPORTS: Record<string, string[]> = {
  attachments: [],
  audit: [],
  // a sign-up chooses the language of its mails; who becomes an admin stands in the audit log
  auth: ['audit', 'preferences'],
  notifications: [],
  preferences: [],
  disputes: ['notifications'],
  vehicles: ['audit', 'auth', 'disputes', 'notifications'],
  messages: ['attachments', 'auth', 'notifications', 'preferences', 'vehicles'],
  push: ['auth', 'messages', 'preferences'],
  // other software's mails go out in the words of our own
  contact: ['auth', 'messages', 'preferences', 'vehicles'],
  // surfaces: they show what the others own, and nothing imports them
  profile: ['attachments', 'audit', 'auth', 'disputes', 'messages', 'notifications', 'preferences', 'push', 'vehicles'],
  admin: ['audit', 'auth', 'disputes', 'vehicles'],
  dashboard: ['messages', 'notifications', 'vehicles'],
}
/** Files that put the server together; nothing below them may reach up to them. */
const COMPOSITION_FILES = /^(?:app|main|start|mail-renderers)\.ts$|^(?:test|cli|seed)\//

/** The same for the web app, whose features share their names with the server's. */
const WEB_IMPORTS: Record<string, string[]> = {
  auth: [],
  notifications: [],
  vehicles: [],
  attachments: [],
  messages: ['attachments', 'notifications', 'vehicles'],
  public: [],
  contact: ['auth'], // its notices
  legal: [],
  dashboard: ['messages', 'notifications', 'vehicles'],
  layouts: ['admin', 'auth', 'notifications', 'preferences', 'push'],
  preferences: [],
  push: [],
  profile: ['auth', 'preferences', 'push'],
  admin: ['auth', 'profile', 'vehicles'],
}
const WEB_BASE = ['ui', 'lib', 'paraglide']

const listSources = (tree: string) =>
  globSync(`${tree}/**/*.{ts,tsx}`, {
    cwd: ROOT,
    exclude: (name) => /^(?:build|paraglide|node_modules|\.react-router)$/.test(name),
  })

function readImports(file: string): string[] {
  const text = readFileSync(join(ROOT, file), 'utf8')
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1]!)
}

const resolveImport = (file: string, path: string) =>
  relative(ROOT, join(ROOT, dirname(file), path)).replaceAll('\\', '/')

test('the contract imports zod and itself only', () => {
  const offences = listSources('contract/src')
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) =>
      readImports(file)
        .filter((path) => path !== 'zod/mini' && !/^\.\/[a-z-]+\.ts$/.test(path))
        .map((path) => `${file} → ${path}`),
    )
  assert.deepEqual(offences, [])
})

test('server and web never import each other', () => {
  const offences = [...listSources('server/src'), ...listSources('web/src')].flatMap((file) => {
    const other = file.startsWith('server') ? 'web/' : 'server/'
    return readImports(file)
      .filter((path) => path.startsWith('.') && resolveImport(file, path).startsWith(other))
      .map((path) => `${file} → ${path}`)
  })
  assert.deepEqual(offences, [])
})

test('server imports follow the table, never reach up, and never use a barrel', () => {
  const src = 'server/src/'
  const offences: string[] = []
  for (const file of listSources('server/src')) {
    const inside = file.slice(src.length)
    for (const path of readImports(file).filter((p) => p.startsWith('.'))) {
      const target = resolveImport(file, path).slice(src.length)
      const [from, to] = [inside.split('/')[0]!, target.split('/')[0]!]
      const free = from === to || COMPOSITION_FILES.test(inside) || /\.test\.ts$/.test(inside)
      const allowed =
        to in SERVER_IMPORTS ? (SERVER_IMPORTS[from]?.includes(to) ?? false) : !COMPOSITION_FILES.test(target)
      const hidden = from !== to && target.endsWith('/routes.ts')
      if (!free && (!allowed || hidden)) offences.push(`${inside} → ${target}`)
      if (/(?:^|\/)index\.ts$/.test(target)) offences.push(`${inside} → ${target} is a barrel`)
    }
  }
  assert.deepEqual(offences, [])
})

test('web imports follow the table: features stand on ui and lib, and ui knows no feature', () => {
  const src = 'web/src/'
  const offences: string[] = []
  for (const file of listSources('web/src')) {
    const inside = file.slice(src.length)
    if (!inside.includes('/')) continue // root, routes and entries put the app together
    for (const path of readImports(file).filter((p) => p.startsWith('.') || p.startsWith('~/'))) {
      const target = path.startsWith('~/') ? path.slice(2) : resolveImport(file, path).slice(src.length)
      const [from, to] = [inside.split('/')[0]!, target.split('/')[0]!]
      if (from === to || to.startsWith('+types')) continue
      const base = WEB_BASE.includes(to)
      const allowed = WEB_BASE.includes(from) ? base : base || (WEB_IMPORTS[from]?.includes(to) ?? false)
      if (!allowed && !path.includes('+types')) offences.push(`${inside} → ${target}`)
    }
  }
  assert.deepEqual(offences, [])
})

test('a table is written by its own feature only', () => {
  const owner: Record<string, string> = {}
  for (const file of globSync('server/src/*/[0-9]*.sql', { cwd: ROOT })) {
    for (const [, table] of readFileSync(join(ROOT, file), 'utf8').matchAll(/create table ([a-z_.]+)/g)) {
      owner[table!] = file.split(/[\\/]/)[2]!
    }
  }
  // written by the one statement of the send, and named there (decision 0020)
  const shared = new Set(['messages/send-statement.ts'])
  const offences: string[] = []
  for (const file of listSources('server/src').filter(
    (f) => !/\.test\.ts$|^server\/src\/(?:test|cli|seed)\//.test(f),
  )) {
    const inside = file.slice('server/src/'.length)
    const text = readFileSync(join(ROOT, file), 'utf8')
    for (const [, table] of text.matchAll(/(?:insert into|delete from|\bupdate)\s+([a-z_]+(?:\.[a-z_]+)?)\s/g)) {
      const of = owner[table!]
      if (of && of !== inside.split('/')[0] && !shared.has(inside)) offences.push(`${inside} writes ${table}`)
    }
  }
  assert.deepEqual(offences, [])
})

test('the auth protocol imports the accounts, never the other way round', () => {
  const protocol = 'server/src/auth/protocol/'
  const offences = listSources('server/src/auth')
    .filter((file) => !file.startsWith(protocol) && !file.endsWith('.test.ts'))
    .flatMap((file) =>
      readImports(file)
        .filter((path) => path.startsWith('.') && resolveImport(file, path).startsWith(protocol))
        .map((path) => `${file} → ${path}`),
    )
  assert.deepEqual(offences, [])
})
