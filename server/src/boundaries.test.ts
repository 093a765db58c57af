import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, posix, relative } from 'node:path'
import { test } from 'node:test'

const ROOT = join(import.meta.dirname, '../..')

/**
 * The infrastructure of the server, from the ground up. A folder or root file imports what its line names and nothing else
 * of the server: never a feature, and never anything below its own line.
 */
const INFRASTRUCTURE_IMPORTS: Record<string, string[]> = {
  'html.ts': [],
  'locale.ts': [],
  'refusal.ts': [],
  'quiet-hours.ts': [],
  'retention.ts': [],
  'time.ts': [],
  log: [],
  postgres: ['log'],
  'config.ts': ['log', 'time.ts'],
  'secrets.ts': ['config.ts'],
  db: ['config.ts', 'log', 'postgres', 'refusal.ts'],
  files: ['config.ts', 'db', 'log', 'time.ts'],
  live: ['db', 'log'],
  encryption: ['db', 'log'],
  jobs: ['config.ts', 'db', 'live', 'log', 'retention.ts', 'time.ts'],
  limits: ['config.ts', 'db', 'encryption', 'log', 'refusal.ts', 'time.ts'],
  'context.ts': ['config.ts', 'db', 'encryption', 'files', 'live', 'log'],
  http: [
    'config.ts',
    'context.ts',
    'db',
    'encryption',
    'files',
    'html.ts',
    'limits',
    'locale.ts',
    'log',
    'refusal.ts',
    'time.ts',
  ],
  email: [
    'config.ts',
    'context.ts',
    'db',
    'html.ts',
    'jobs',
    'log',
    'quiet-hours.ts',
    'refusal.ts',
    'retention.ts',
    'time.ts',
  ],
}

/** The features of the server: which of the others each may import. The infrastructure is open to all of them. */
const FEATURE_IMPORTS: Record<string, string[]> = {
  attachments: [],
  audit: [],
  consent: [],
  // a sign-up chooses the language of its emails and agrees to the terms; granting the admin role is recorded in the audit log;
  // a new password withdraws invitations
  auth: ['audit', 'consent', 'preferences', 'vehicle-people'],
  notifications: [],
  preferences: [],
  subjects: [],
  sanctions: ['audit', 'auth', 'subjects'],
  disputes: [],
  vehicles: ['audit', 'disputes', 'notifications'],
  'vehicle-people': ['notifications'],
  documents: ['attachments', 'audit', 'disputes', 'vehicles'],
  // a card is sent with its message
  collisions: ['attachments'],
  messages: ['attachments', 'collisions', 'notifications', 'preferences'],
  blocks: ['messages'],
  reports: ['attachments', 'collisions', 'messages', 'subjects'],
  'proof-of-work': [],
  notes: ['messages', 'notifications', 'proof-of-work', 'reports'],
  push: ['auth', 'messages', 'notifications', 'preferences'],
  // people without an account leave messages at a vehicle, and are notified of the answer
  tags: ['messages', 'notifications', 'proof-of-work', 'push'],
  // what other software submits goes out with our own texts
  contact: ['auth', 'messages', 'preferences', 'vehicles'],
  // everything a person must decide
  inbox: ['audit', 'documents', 'messages', 'reports', 'sanctions', 'vehicles'],
  // these show what the others own; they may import each other, and no feature imports them
  profile: [
    'attachments',
    'audit',
    'auth',
    'collisions',
    'consent',
    'blocks',
    'messages',
    'notifications',
    'preferences',
    'push',
    'reports',
    'vehicle-people',
    'vehicles',
    'sanctions',
    'tags',
  ],
  admin: ['audit', 'auth', 'sanctions', 'subjects', 'vehicles'],
  dashboard: ['messages', 'vehicles'],
  // deletes again, after a restore, what each of them would
  backup: ['attachments', 'auth', 'documents', 'messages', 'profile', 'vehicles'],
  health: ['audit'],
  // asks after all of it, and nothing imports it
  doctor: ['health', 'push'],
}

/** Files that put the server together: they may import anything, and nothing else may import them. */
const COMPOSITION_FILES = /^(?:app|hourly-cleanup|mail-renderers|main|start)\.ts$|^(?:cli|seed|test)\//

/** The features of the web app, mostly of the server's names: which of the others each may import. */
const WEB_IMPORTS: Record<string, string[]> = {
  auth: [],
  notifications: [],
  notes: [],
  vehicles: ['documents', 'notes', 'push', 'tags', 'vehicle-people'],
  'vehicle-people': [],
  attachments: [],
  documents: ['attachments'],
  blocks: [],
  reports: ['blocks'],
  collisions: ['attachments'],
  messages: ['attachments', 'collisions', 'notes', 'reports'],
  public: [],
  contact: ['auth'], // its notices
  // the frame and languages of pages for people without an account
  guest: [],
  tags: ['guest'],
  legal: [],
  dashboard: ['notes', 'vehicles'],
  inbox: ['admin', 'attachments', 'documents', 'vehicles'],
  sanctions: ['auth', 'profile'],
  people: ['account-events', 'admin'],
  system: ['admin'],
  layouts: ['admin', 'auth', 'notifications'],
  preferences: [],
  push: [],
  'account-events': [],
  profile: ['account-events', 'auth', 'blocks', 'preferences', 'push'],
  // what somebody who does not agree can still do
  consent: ['auth', 'profile'],
  admin: ['auth', 'profile', 'vehicles'],
}
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

test('the contract imports zod and itself only', () => {
  const offences = listSources('contract/src')
    .filter((file) => !isTest(file))
    .flatMap((file) =>
      readImportPaths(file)
        .filter((path) => path !== 'zod/mini' && !/^\.\/[a-z-]+\.ts$/.test(path))
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

test('server imports follow the two tables, never reach up, and never use a barrel', () => {
  const mayImport = (from: string, to: string, target: string) => {
    if (COMPOSITION_FILES.test(target)) return false
    if (from in INFRASTRUCTURE_IMPORTS) return INFRASTRUCTURE_IMPORTS[from]!.includes(to)
    return to in INFRASTRUCTURE_IMPORTS || (FEATURE_IMPORTS[from]?.includes(to) ?? false)
  }
  const offences: string[] = []
  for (const { file, target } of readImports('server/src')) {
    const [from, to] = [topFolderOf(file), topFolderOf(target)]
    const isFree = from === to || COMPOSITION_FILES.test(file) || isTest(file)
    const isOthersRoutes = from !== to && target.endsWith('/routes.ts')
    if (!isFree && (!mayImport(from, to, target) || isOthersRoutes)) offences.push(`${file} → ${target}`)
    if (/(?:^|\/)index\.ts$/.test(target)) offences.push(`${file} → ${target} is a barrel`)
  }
  assert.deepEqual(offences, [])
})

test('what the web app shows goes by the server’s clock: only what stays on a device asks that of the device', () => {
  const asking = listSources('web/src').filter((file) =>
    /Date\.now|new Date\(\)/.test(readFileSync(join(ROOT, file), 'utf8')),
  )
  assert.deepEqual(asking.sort(), [
    'web/src/auth/AuthFailureAlert.tsx', // counts down from the answer
    'web/src/auth/send-intent.ts', // how long something is stored here
    'web/src/inline-head/early-fetch.ts', // when a request was sent, for lib/time/now.ts
    'web/src/layouts/admin-layout.route.tsx', // compared with the times of the query client
    'web/src/lib/http/api.ts', // when a request was sent, for lib/time/now.ts
    'web/src/lib/registration/carried-plate.ts', // how long something is stored here
    'web/src/lib/session/session.client.ts', // as auth-js does
    'web/src/lib/session/stored-session.ts', // as auth-js does
    'web/src/lib/time/now.ts',
    'web/src/messages/send-draft.ts', // how long something is stored here
  ])
})

test('one file of the web app uses what the browser stores, and what loads a page anew is known: it ends a session that is not stored', () => {
  const using = (pattern: RegExp) =>
    listSources('web/src').filter((file) => pattern.test(readFileSync(join(ROOT, file), 'utf8')))
  assert.deepEqual(using(/localStorage|sessionStorage|indexedDB|\bcaches\.\w/), ['web/src/lib/page/storage.ts'])
  assert.deepEqual(using(/navigator\.serviceWorker/), ['web/src/lib/page/browser-state.ts'])
  assert.deepEqual(using(/location\.(?:assign|replace|reload|href =)|redirectDocument/).sort(), [
    'web/src/auth/second-factor/two-step.route.tsx', // signed out
    'web/src/inline-head/language.ts', // the language of the account, which is that of the page where nothing is stored
    'web/src/lib/guard/require-user.ts', // the language of the account
    'web/src/lib/page/load-page.ts',
    'web/src/lib/release/missing-code.ts', // another release
    'web/src/lib/session/use-session-events.ts', // signed out, or somebody else is signed in
    'web/src/public/UnexpectedError.tsx',
  ])
})

test('every folder and root file of the server has its line in one of the tables', () => {
  const folders = listSources('server/src')
    .map((file) => file.slice('server/src/'.length))
    .filter((file) => !isTest(file) && !COMPOSITION_FILES.test(file))
    .map(topFolderOf)
  const lines = [...Object.keys(INFRASTRUCTURE_IMPORTS), ...Object.keys(FEATURE_IMPORTS)]
  assert.deepEqual([...new Set(folders)].sort(), lines.sort())
})

test('each line of the infrastructure names only lines above it', () => {
  const lines = Object.keys(INFRASTRUCTURE_IMPORTS)
  const offences = lines.flatMap((room, index) =>
    INFRASTRUCTURE_IMPORTS[room]!.filter((other) => !lines.slice(0, index).includes(other)).map(
      (other) => `${room} → ${other}`,
    ),
  )
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

test('the auth protocol imports the accounts, never the other way round', () => {
  const offences = readImports('server/src/auth')
    .filter(
      ({ file, target }) => !isTest(file) && topFolderOf(file) !== 'protocol' && topFolderOf(target) === 'protocol',
    )
    .map(({ file, target }) => `${file} → ${target}`)
  assert.deepEqual(offences, [])
})

test('the tables allow nothing that no file imports', () => {
  const findUnused = (tree: string, table: Record<string, string[]>) => {
    const used = new Set(
      readImports(tree)
        .filter(({ file }) => !isTest(file))
        .map(({ file, target }) => `${topFolderOf(file)} → ${topFolderOf(target)}`),
    )
    const allowed = Object.entries(table).flatMap(([from, others]) => others.map((to) => `${from} → ${to}`))
    return allowed.filter((line) => !used.has(line))
  }
  assert.deepEqual(findUnused('server/src', { ...INFRASTRUCTURE_IMPORTS, ...FEATURE_IMPORTS }), [])
  assert.deepEqual(findUnused('web/src', WEB_IMPORTS), [])
})

test('web imports follow the table: features use ui and lib, and neither of those knows a feature', () => {
  const offences: string[] = []
  for (const { file, target } of readImports('web/src')) {
    if (!file.includes('/')) continue // root, routes and entries put the app together
    const [from, to] = [topFolderOf(file), topFolderOf(target)]
    if (from === to || WEB_BASE.includes(to)) continue
    if (WEB_BASE.includes(from) || !WEB_IMPORTS[from]?.includes(to)) offences.push(`${file} → ${target}`)
  }
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
