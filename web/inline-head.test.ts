import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { createContext, runInContext } from 'node:vm'
import { bundleInlineHead } from './inline-head.ts'

/** Every page carries the script inside itself, before its first paint. */
const MAX_BYTES = 6_700

let script: string
before(async () => {
  script = (await bundleInlineHead()).script
})

/** Runs the script in a minimal page. Asking for forbidden storage throws, as in browsers. */
function runIn({
  attributes = {},
  search = '',
  stored = {} as Record<string, string> | 'forbidden',
  languages = ['fr-CA'],
}) {
  const openStorage = () => {
    if (stored === 'forbidden') throw new Error('SecurityError')
    return { getItem: (key: string) => stored[key] ?? null }
  }
  const present = new Map<string, string>(Object.entries(attributes))
  const classes = new Set<string>()
  const fetched: string[] = []
  const replaced: string[] = []
  const page = {
    lang: 'fr-CA',
    getAttribute: (name: string) => present.get(name) ?? null,
    hasAttribute: (name: string) => present.has(name),
    setAttribute: (name: string, value: string) => present.set(name, value),
    classList: {
      add: (name: string) => classes.add(name),
      toggle: (name: string, on: boolean) => on && classes.add(name),
    },
  }
  const window = {
    document: { documentElement: page, addEventListener() {}, querySelector: () => null, querySelectorAll: () => [] },
    location: { pathname: '/fr/dashboard', search, hash: '', replace: (to: string) => replaced.push(to) },
    get localStorage() {
      return openStorage()
    },
    get sessionStorage() {
      return openStorage()
    },
    matchMedia: () => ({ matches: false }),
    addEventListener() {},
    setTimeout() {},
    navigator: { languages },
    HTMLDetailsElement: class {},
    fetch(url: string, { headers }: { headers: Record<string, string> }) {
      fetched.push(`${url} ${headers['authorization']} ${headers['accept-language']}`)
      return Promise.resolve(new Response())
    },
  }
  runInContext(script, createContext(Object.assign(window, { window })))
  return { attributes: Object.fromEntries(present), classes: [...classes], fetched, replaced }
}

const session = (secondsLeft: number, isAdmin = false, locale = 'fr-CA') => ({
  'sb-auth-token': JSON.stringify({
    access_token: 'token',
    refresh_token: 'refresh',
    expires_at: Date.now() / 1000 + secondsLeft,
    user: { id: 'id', app_metadata: { locale }, user_metadata: { is_admin: isAdmin } },
  }),
})

const reads = { 'data-early-fetch': '/api/dashboard /api/admin/stats' }

test('the script is small, and no part of it ends its element', () => {
  assert.ok(script.length > 1_000 && Buffer.byteLength(script) <= MAX_BYTES, `${script.length} characters`)
  assert.doesNotMatch(script, /<\/script|<!--/i)
  assert.doesNotMatch(script, /\/\(\?<[=!]/) // a literal that older browsers cannot read
})

test('it applies the stored theme and marks who is signed in', () => {
  assert.deepEqual(runIn({}).classes, ['scripted'])
  const page = runIn({ stored: { ...session(3600), theme: 'dark' } })
  assert.deepEqual(page.classes, ['scripted', 'signed-in'])
  assert.equal(page.attributes['data-theme'], 'dark')
  assert.equal(runIn({ stored: { theme: 'blue' } }).attributes['data-theme'], undefined)
})

test('it runs where storage is forbidden', () => {
  assert.deepEqual(runIn({ attributes: reads, stored: 'forbidden' }), {
    attributes: reads,
    classes: ['scripted', 'stores-nothing'],
    fetched: [],
    replaced: [],
  })
})

test('it fetches what the page shows first as the signed-in user, and what is for admins only for an admin', () => {
  const asUser = runIn({ attributes: reads, stored: session(3600) })
  assert.deepEqual(asUser.fetched, ['/api/dashboard Bearer token fr-CA'])
  const asAdmin = runIn({ attributes: reads, stored: session(3600, true) })
  assert.equal(asAdmin.fetched.length, 2)
})

test('it fetches nothing for a visitor, with a query, or with a session about to be renewed', () => {
  assert.deepEqual(runIn({ attributes: reads }).fetched, [])
  assert.deepEqual(runIn({ attributes: reads, stored: session(3600), search: '?plate=A' }).fetched, [])
  assert.deepEqual(runIn({ attributes: reads, stored: session(80) }).fetched, [])
  assert.deepEqual(runIn({ stored: session(3600) }).fetched, [])
})

test('a page of the app gives way to the one in the language of the account, and fetches nothing before', () => {
  const attributes = { ...reads, 'data-account-page': '' }
  const english = session(3600, false, 'en')
  const page = runIn({ attributes, stored: english, search: '?view=sent' })
  assert.deepEqual([page.replaced, page.fetched], [['/dashboard?view=sent'], []])
  assert.deepEqual(runIn({ attributes, stored: session(3600) }).replaced, [])
  assert.deepEqual(runIn({ stored: english }).replaced, []) // a public page
  // chosen in this browser during that session; a later one, and somebody else's choice, know better
  const { expires_at } = JSON.parse(english['sb-auth-token'])
  const chosen = (userId: string, session: number) => ({
    'platenote-language': JSON.stringify({ userId, locale: 'fr-CA', saved: true, session }),
  })
  assert.deepEqual(runIn({ attributes, stored: { ...english, ...chosen('id', expires_at) } }).replaced, [])
  for (const other of [chosen('somebody else', expires_at), chosen('id', expires_at - 60)])
    assert.equal(runIn({ attributes, stored: { ...english, ...other } }).replaced.length, 1)
})

test('the other language is offered to visitors who prefer it, once', () => {
  const isOffered = (page: Parameters<typeof runIn>[0]) => runIn(page).classes.includes('offer-language')
  assert.equal(isOffered({ languages: ['en-US', 'fr'] }), true)
  assert.equal(isOffered({ languages: ['de', 'fr-CA', 'en'] }), false)
  assert.equal(isOffered({ languages: ['de'] }), false)
  assert.equal(isOffered({ languages: ['en'], stored: { 'platenote-language-offered': '1' } }), false)
  assert.equal(isOffered({ languages: ['en'], stored: session(3600) }), false)
  assert.equal(isOffered({ languages: ['en'], stored: 'forbidden' }), false)
})
