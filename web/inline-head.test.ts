import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { createContext, runInContext } from 'node:vm'
import { bundleInlineHead } from './inline-head.ts'

/** Every page carries the script inside itself, before its first paint. */
const MAX_BYTES = 8_200

let script: string
before(async () => {
  script = (await bundleInlineHead()).script
})

/** Runs the script in a minimal page. Asking for forbidden storage throws, as in browsers. */
function runIn({
  attributes = {},
  search = '',
  stored = {} as Record<string, string> | 'forbidden',
  account = '',
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
    matches: (selector: string) => classes.has(selector.slice(1)),
    setAttribute: (name: string, value: string) => present.set(name, value),
    classList: {
      add: (name: string) => classes.add(name),
      toggle: (name: string, on: boolean) => on && classes.add(name),
    },
  }
  const window = {
    document: {
      documentElement: page,
      get cookie() {
        return stored === 'forbidden' ? '' : `other=1${account && `; platenote-account=${account}`}`
      },
      set cookie(_: string) {},
      addEventListener() {},
      querySelector: () => null,
      querySelectorAll: () => [],
    },
    location: {
      protocol: 'http:',
      pathname: '/fr/dashboard',
      search,
      hash: '',
      replace: (to: string) => replaced.push(to),
    },
    get localStorage() {
      return openStorage()
    },
    get sessionStorage() {
      return openStorage()
    },
    matchMedia: () => ({ matches: false }),
    addEventListener() {},
    setTimeout() {},
    navigator: { languages, cookieEnabled: true },
    HTMLDetailsElement: class {},
    fetch(url: string, { method, body, headers }: { method: string; body: string; headers: Record<string, string> }) {
      fetched.push(`${method} ${url} ${headers['accept-language']} ${body}`)
      return Promise.resolve(new Response())
    },
  }
  runInContext(script, createContext(Object.assign(window, { window })))
  return { attributes: Object.fromEntries(present), classes: [...classes], fetched, replaced }
}

const [FRENCH, ENGLISH] = ['a-b.fr-CA', 'a-b.en']
const reads = { 'data-early-fetch': '/api/dashboard /api/messages?view=received', 'data-account-page': '' }

test('the script is small, and no part of it ends its element', () => {
  assert.ok(script.length > 1_000 && Buffer.byteLength(script) <= MAX_BYTES, `${script.length} characters`)
  assert.doesNotMatch(script, /<\/script|<!--/i)
  assert.doesNotMatch(script, /\/\(\?<[=!]/) // a literal that older browsers cannot read
})

test('it applies the stored theme and marks who is signed in', () => {
  assert.deepEqual(runIn({}).classes, ['scripted'])
  const page = runIn({ stored: { theme: 'dark' }, account: FRENCH })
  assert.deepEqual(page.classes, ['scripted', 'signed-in'])
  assert.equal(page.attributes['data-theme'], 'dark')
  assert.equal(runIn({ stored: { theme: 'blue' } }).attributes['data-theme'], undefined)
})

test('it runs where storage is forbidden', () => {
  assert.deepEqual(runIn({ attributes: reads, stored: 'forbidden', account: FRENCH }), {
    attributes: reads,
    classes: ['stores-nothing', 'scripted'],
    fetched: [],
    replaced: [],
  })
})

test('it asks for the session, with what the page shows first, and for a visitor for nothing', () => {
  const asked = (page: Parameters<typeof runIn>[0]) => runIn(page).fetched
  assert.deepEqual(asked({ attributes: reads, account: FRENCH }), [
    'POST /auth/v1/session fr-CA {"first":["/api/dashboard","/api/messages?view=received"]}',
  ])
  const without = ['POST /auth/v1/session fr-CA {"first":[]}']
  assert.deepEqual(asked({ attributes: reads, account: FRENCH, search: '?plate=A' }), without)
  assert.deepEqual(asked({ attributes: { 'data-account-page': '' }, account: FRENCH }), without)
  for (const nobody of ['', '.fr-CA', 'a-b', 'a-b.de'])
    assert.deepEqual(asked({ attributes: reads, account: nobody }), [])
  assert.deepEqual(asked({ account: FRENCH }), []) // a public page
  // the releases before the cookie had it in storage
  const stored = { 'sb-auth-token': '{"refresh_token":"former"}' }
  assert.match(asked({ attributes: reads, stored })[0]!, /"refresh_token":"former"\}$/)
})

test('it tells the server of a sign-out that it has not heard of, on any page, and asks for nothing else', () => {
  const page = runIn({ attributes: reads, account: 'signed-out' })
  assert.deepEqual([page.classes, page.fetched], [['scripted'], ['POST /auth/v1/session/end fr-CA {}']])
})

test('a page of the app gives way to the one in the language of the account, and asks for nothing before', () => {
  const page = runIn({ attributes: reads, account: ENGLISH, search: '?view=sent' })
  assert.deepEqual([page.replaced, page.fetched], [['/dashboard?view=sent'], []])
  assert.deepEqual(runIn({ attributes: reads, account: FRENCH }).replaced, [])
  assert.deepEqual(runIn({ account: ENGLISH }).replaced, []) // a public page
  assert.deepEqual(runIn({ attributes: reads, account: `${ENGLISH}.unsaved` }).replaced.length, 1)
})

test('the other language is offered to visitors who prefer it, once', () => {
  const isOffered = (page: Parameters<typeof runIn>[0]) => runIn(page).classes.includes('offer-language')
  assert.equal(isOffered({ languages: ['en-US', 'fr'] }), true)
  assert.equal(isOffered({ languages: ['de', 'fr-CA', 'en'] }), false)
  assert.equal(isOffered({ languages: ['de'] }), false)
  assert.equal(isOffered({ languages: ['en'], stored: { 'platenote-language-offered': '1' } }), false)
  assert.equal(isOffered({ languages: ['en'], account: FRENCH }), false)
  assert.equal(isOffered({ languages: ['en'], stored: 'forbidden' }), false)
})
