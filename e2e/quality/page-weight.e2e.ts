import type { Page, Request } from '@playwright/test'
import type { Locale } from '#contract/product.ts'
import { bundleInlineHead } from '../../web/inline-head.ts'
import { adminPages, formPages, inFrench, ownerPages, plainFormPages, textPages } from '../../web/pages.mjs'
import { expect, test } from '../support/fixtures.ts'
import { waitForIdle } from '../support/page-objects.ts'
import type { Person } from '../support/people.ts'
import { createPopulatedAdmin, createPopulatedUser } from '../support/populated-user.ts'

const KIB = 1024
/** The limit of a text page: HTML, font, icon and manifest, with their headers. */
const MAX_TEXT_PAGE_BYTES = 90 * KIB
/** The limit of the one script of a page with a plain form, compressed. */
const MAX_PLAIN_FORM_SCRIPT_BYTES = 8_000
/** The limit of a form page and of an app page: its scripts, compressed (decision page-weight). */
const MAX_SCRIPT_BYTES = 162_000

const TEXT_PAGES = [...textPages, '/contact-us/sent', '/no-such-page', '/offline']

/** Without a thing to show these lead to another page, whose scripts would count too: their HTML alone is weighed. */
const PAGES_OF_A_THING = [
  '/dashboard/message-copy',
  '/dashboard/collision-card',
  '/dashboard/windshield-tag',
  '/dashboard/vehicles/one/welcome',
]
const inBothLanguages = (paths: string[]) => paths.flatMap((path) => [path, inFrench(path)])

/** `npm test` opens some; `npm run test:full` every page. */
const PAGES =
  process.env['TEST_FULL'] === '1'
    ? {
        text: inBothLanguages(TEXT_PAGES),
        plain: inBothLanguages(plainFormPages),
        form: inBothLanguages(formPages),
        owner: ownerPages.filter((path) => !PAGES_OF_A_THING.includes(path)),
        admin: adminPages,
      }
    : {
        text: ['/', '/fr/privacy'],
        plain: ['/fr/contact-us'],
        form: ['/fr/signup'],
        owner: ['/dashboard', '/send'],
        admin: ['/admin/vehicles'],
      }

/** Our own inline script of every page. */
const { script: INLINE_HEAD_SCRIPT } = await bundleInlineHead()
/** How the framework's inline scripts begin, in pages with scripts. */
const FRAMEWORK_SCRIPTS = [
  /^\(\(storageKey, restoreKey\) => \{/, // restores the scroll position
  /^window\.__reactRouterContext = \{/,
  /^window\.__reactRouterContext\.streamController\.(enqueue|close)\(/,
  /^import "\/assets\/manifest-\w+\.js";/,
]

/** A resource that a page loaded. */
type NetworkLoad = { request: Request; url: string; done: boolean }

/** Records what a page loads from now on, but for the stream of live updates, which never ends. The array grows while it loads. */
function recordLoads(page: Page): NetworkLoad[] {
  const loads: NetworkLoad[] = []
  page.on('request', (request) => {
    const { protocol, pathname } = new URL(request.url())
    if (protocol.startsWith('http') && pathname !== '/api/live')
      loads.push({ request, url: request.url(), done: false })
  })
  const end = (request: Request) => {
    for (const load of loads) if (load.request === request) load.done = true
  }
  page.on('requestfinished', end)
  page.on('requestfailed', end)
  return loads
}

/** Returns the bytes that came over the wire for a resource, its headers included. */
async function bytesOf({ request }: NetworkLoad) {
  const { responseBodySize, responseHeadersSize } = await request.sizes()
  return responseBodySize + responseHeadersSize
}

/** Returns the compressed size of a script, as the server announces it. */
const announcedBytes = async ({ request }: NetworkLoad) =>
  Number((await request.response())?.headers()['content-length'])

type Visit = (who?: { as: Person; language: Locale }) => Promise<Page>

/** Opens a page in a browser with an empty cache, and returns all it loads until it is rendered and idle. */
async function openFresh(visit: Visit, path: string, as?: Person): Promise<{ page: Page; loads: NetworkLoad[] }> {
  const page = await visit(as && { as, language: path.startsWith('/fr/') ? 'fr-CA' : 'en' })
  const loads = recordLoads(page)
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  // a list, an empty one, or the text for an unknown id
  const content = 'article, li, form, td, select, section button, .border-dashed, [role=alert]'
  if (as) await expect(page.getByRole('main').locator(content).filter({ visible: true })).not.toHaveCount(0)
  await waitForIdle(page)
  await expect.poll(() => loads.filter(({ done }) => !done).map(({ url }) => url)).toEqual([])
  return { page, loads }
}

/** Loads what a browser with a window also fetches: the icon and the manifest. */
async function loadIconAndManifest(page: Page, loads: NetworkLoad[]) {
  const links = await page
    .locator('link[rel=icon], link[rel=manifest]')
    .evaluateAll((all: HTMLLinkElement[]) => all.map(({ href }) => href))
  const missing = links.filter((link) => !loads.some(({ url }) => url === link))
  await page.evaluate((urls) => Promise.all(urls.map(async (url) => (await fetch(url)).arrayBuffer())), missing)
  await expect.poll(() => loads.filter(({ done }) => !done).map(({ url }) => url)).toEqual([])
}

/** Returns the scripts in a page's HTML as it was sent: how many files it loads, and the text of the inline ones. */
async function scriptsOf(page: Page) {
  const html = await (await page.request.get(page.url())).text()
  return page.evaluate((text) => {
    const sent = new DOMParser().parseFromString(text, 'text/html')
    const data = [...sent.querySelectorAll('script[type="application/ld+json"]')]
    const scripts = [...sent.querySelectorAll('script')].filter((script) => !data.includes(script))
    return {
      loaded: sent.querySelectorAll('script[src], link[rel=modulepreload]').length,
      inline: scripts.filter(({ src }) => !src).map(({ textContent }) => textContent),
      data: data.map(({ textContent }) => textContent),
    }
  }, html)
}

const foreignLoads = (loads: NetworkLoad[], home: string) => loads.filter(({ url }) => new URL(url).origin !== home)
const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0)

/** Checks that a page's scripts are known, come from our own origin and stay within the limit; then closes it. */
async function checkScripts({ page, loads }: { page: Page; loads: NetworkLoad[] }, path: string) {
  const home = new URL(page.url()).origin
  const { inline } = await scriptsOf(page)
  const unknown = inline.filter(
    (text) => text !== INLINE_HEAD_SCRIPT && !FRAMEWORK_SCRIPTS.some((begin) => begin.test(text)),
  )
  expect(unknown, `inline scripts of ${path}`).toEqual([])
  expect(foreignLoads(loads, home), `foreign addresses of ${path}`).toEqual([])
  const scripts = loads.filter(
    ({ request, url }) => request.resourceType() === 'script' || new URL(url).pathname.endsWith('.js'),
  )
  expect(scripts.length, `scripts of ${path}`).toBeGreaterThan(0)
  const bytes = sum(await Promise.all(scripts.map(announcedBytes)))
  expect.soft(bytes, `bytes of scripts of ${path}`).toBeLessThanOrEqual(MAX_SCRIPT_BYTES)
  await page.context().close()
}

test('the HTML of every page with scripts names at most 162 kB of them, compressed', async ({ product }) => {
  const known = new Map<string, number>()
  for (const path of [...formPages, ...ownerPages, ...adminPages].flatMap((page) => [page, inFrench(page)])) {
    const html = await (await fetch(product.url + path)).text()
    const scripts = [...new Set(html.match(/\/assets\/[\w.-]+\.js/g))]
    expect(scripts.length, `scripts of ${path}`).toBeGreaterThan(0)
    for (const script of scripts.filter((url) => !known.has(url))) {
      const { headers } = await fetch(product.url + script, { method: 'HEAD', headers: { 'accept-encoding': 'br' } })
      known.set(script, Number(headers.get('content-length')))
    }
    const bytes = sum(scripts.map((script) => known.get(script)!))
    expect.soft(bytes, `bytes of scripts of ${path}`).toBeGreaterThan(100_000)
    expect.soft(bytes, `bytes of scripts of ${path}`).toBeLessThanOrEqual(MAX_SCRIPT_BYTES)
  }
})

test('a page of text or with a plain form weighs at most 90 KiB with its font and icons; the one has no script files, the other a small one', async ({
  product,
  visit,
  pageGuard,
}) => {
  pageGuard.allow(/^404 GET \/(fr\/)?no-such-page/)
  for (const path of [...PAGES.text, ...PAGES.plain]) {
    const { page, loads } = await openFresh(visit, path)
    await loadIconAndManifest(page, loads)
    const { loaded, inline, data } = await scriptsOf(page)
    const scripts = loads.filter(({ request }) => request.resourceType() === 'script')
    expect([loaded, scripts.length], `script files of ${path}`).toEqual(PAGES.text.includes(path) ? [0, 0] : [1, 1])
    for (const script of scripts) expect(await announcedBytes(script)).toBeLessThanOrEqual(MAX_PLAIN_FORM_SCRIPT_BYTES)
    expect(inline, `inline scripts of ${path}`).toEqual([INLINE_HEAD_SCRIPT])
    for (const text of data) expect(JSON.parse(text), path).toHaveProperty('@context', 'https://schema.org')
    expect(foreignLoads(loads, product.url), `foreign addresses of ${path}`).toEqual([])
    expect(loads.map(({ request }) => request.resourceType())).toEqual(expect.arrayContaining(['document', 'font']))
    const bytes = sum(await Promise.all(loads.map(bytesOf)))
    expect(bytes, `bytes of ${path}`).toBeLessThanOrEqual(MAX_TEXT_PAGE_BYTES)
    await page.context().close()
  }
})

test('a page with scripts loads at most 162 kB of them, compressed, and nothing from elsewhere', async ({
  product,
  visit,
  person,
  pageGuard,
}) => {
  pageGuard.allow(/^400 GET \/api\/admin\/people\/one/) // the page of a thing, visited without one
  for (const path of PAGES.form) await checkScripts(await openFresh(visit, path), path)
  const asOwner = await createPopulatedUser(() => person())
  for (const path of PAGES.owner) await checkScripts(await openFresh(visit, path, asOwner), path)
  const asAdmin = await createPopulatedAdmin(product, () => person())
  for (const path of PAGES.admin) await checkScripts(await openFresh(visit, path, asAdmin), path)
})
