import type { Page } from '@playwright/test'
import type { Locale } from '#contract/product.ts'
import { sample } from '../../scripts/lib/sample.mjs'
import { bundleInlineHead } from '../../web/inline-head.ts'
import { adminPages, formPages, inFrench, ownerPages, textPages } from '../../web/pages.mjs'
import { expect, test } from '../support/fixtures.ts'
import { type NetworkLoad, recordLoads } from '../support/network-loads.ts'
import { waitForIdle } from '../support/page-objects.ts'
import type { Person } from '../support/people.ts'
import { createPopulatedAdmin, createPopulatedUser } from '../support/populated-user.ts'

const KIB = 1024
/** The limit of a text page: HTML, font, icon and manifest, with their headers. */
const MAX_TEXT_PAGE_BYTES = 90 * KIB
/** The limit of a form page and of an app page: its scripts, compressed (decision 0044). */
const MAX_SCRIPT_BYTES = 160_000

const TEXT_PAGES = [...textPages, '/contact-us/sent', '/no-such-page', '/offline']

/**
 * Returns both languages of each page in a whole run, otherwise a fifth of the pages a day, in a language that alternates:
 * with an even number of parts each page would be tested in one language only.
 */
const inSampledLanguages = (paths: string[]) =>
  sample.part('page weight', paths, 5).flatMap((path) => sample.pick(path, [path, inFrench(path)]))
const sampledTextPages = inSampledLanguages(TEXT_PAGES)
const sampledFormPages = inSampledLanguages(formPages)
/** Returns every page of the app in a whole run, otherwise a fifth of them a day. */
const sampledAppPages = (paths: string[]) => sample.part('app pages', paths, 5)
/** Without a thing to show these lead to another page, whose scripts would count too: their HTML alone is weighed. */
const PAGES_OF_A_THING = ['/dashboard/message-copy', '/dashboard/collision-card', '/dashboard/windshield-tag']
const sampledOwnerPages = sampledAppPages(ownerPages.filter((path) => !PAGES_OF_A_THING.includes(path)))
const sampledAdminPages = sampledAppPages(adminPages)
const sampled = (paths: string[]) => ({ annotation: { type: 'sample', description: paths.join(' ') } })

/** Our own inline script of every page. */
const { script: INLINE_HEAD_SCRIPT } = await bundleInlineHead()
/** How the framework's inline scripts begin, in pages with scripts. */
const FRAMEWORK_SCRIPTS = [
  /^\(\(storageKey, restoreKey\) => \{/, // restores the scroll position
  /^window\.__reactRouterContext = \{/,
  /^window\.__reactRouterContext\.streamController\.(enqueue|close)\(/,
  /^import "\/assets\/manifest-\w+\.js";/,
]

type Visit = (who?: { as: Person; language: Locale }) => Promise<Page>

/** Opens a page in a browser with an empty cache, and returns all it loads until it is rendered and idle. */
async function openFresh(visit: Visit, path: string, as?: Person): Promise<{ page: Page; loads: NetworkLoad[] }> {
  const page = await visit(as && { as, language: path.startsWith('/fr/') ? 'fr-CA' : 'en' })
  const loads = await recordLoads(page)
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  // a list, an empty one, or the text for an unknown id
  const content = 'article, li, form, td, select, .border-dashed, [role=alert]'
  if (as) await expect(page.getByRole('main').locator(content).first()).toBeVisible()
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
  await expect.poll(() => loads.filter(({ done }) => !done)).toEqual([])
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

const TEXT_TEST = 'a text page has no script files, and weighs at most 90 KiB with its font and icons @always'

test(TEXT_TEST, sampled(sampledTextPages), async ({ product, visit, pageGuard }) => {
  pageGuard.allow(/^404 GET \/(fr\/)?no-such-page/)
  for (const path of sampledTextPages) {
    const { page, loads } = await openFresh(visit, path)
    await loadIconAndManifest(page, loads)
    const { loaded, inline, data } = await scriptsOf(page)
    expect(loaded, `script files of ${path}`).toBe(0)
    expect(inline, `inline scripts of ${path}`).toEqual([INLINE_HEAD_SCRIPT])
    for (const text of data) expect(JSON.parse(text), path).toHaveProperty('@context', 'https://schema.org')
    expect(foreignLoads(loads, product.url), `foreign addresses of ${path}`).toEqual([])
    expect(loads.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['Document', 'Font']))
    expect(sum(loads.map(({ bytes }) => bytes)), `bytes of ${path}`).toBeLessThanOrEqual(MAX_TEXT_PAGE_BYTES)
    await page.context().close()
  }
})

/** Checks that a page's scripts are known, come from our own origin and stay within the limit; then closes it. */
async function checkScripts({ page, loads }: { page: Page; loads: NetworkLoad[] }, path: string) {
  const home = new URL(page.url()).origin
  const { inline } = await scriptsOf(page)
  const unknown = inline.filter(
    (text) => text !== INLINE_HEAD_SCRIPT && !FRAMEWORK_SCRIPTS.some((begin) => begin.test(text)),
  )
  expect(unknown, `inline scripts of ${path}`).toEqual([])
  expect(foreignLoads(loads, home), `foreign addresses of ${path}`).toEqual([])
  const scripts = loads.filter(({ kind, url }) => kind === 'Script' || new URL(url).pathname.endsWith('.js'))
  expect(scripts.length, `scripts of ${path}`).toBeGreaterThan(0)
  const bytes = sum(scripts.map(({ bodyBytes }) => bodyBytes))
  expect.soft(bytes, `bytes of scripts of ${path}`).toBeLessThanOrEqual(MAX_SCRIPT_BYTES)
  await page.context().close()
}

const FORM_TEST = 'a page with a form loads at most 160 kB of compressed scripts, and nothing from elsewhere'

test(FORM_TEST, sampled(sampledFormPages), async ({ visit }) => {
  for (const path of sampledFormPages) {
    await checkScripts(await openFresh(visit, path), path)
  }
})

test('the HTML of every page with scripts names at most 160 kB of them, compressed', async ({ product }) => {
  const bytesOf = new Map<string, number>()
  for (const path of [...formPages, ...ownerPages, ...adminPages].flatMap((page) => [page, inFrench(page)])) {
    const html = await (await fetch(product.url + path)).text()
    const scripts = [...new Set(html.match(/\/assets\/[\w.-]+\.js/g))]
    expect(scripts.length, `scripts of ${path}`).toBeGreaterThan(0)
    for (const script of scripts.filter((url) => !bytesOf.has(url))) {
      const { headers } = await fetch(product.url + script, { method: 'HEAD', headers: { 'accept-encoding': 'br' } })
      bytesOf.set(script, Number(headers.get('content-length')))
    }
    const bytes = sum(scripts.map((script) => bytesOf.get(script)!))
    expect.soft(bytes, `bytes of scripts of ${path}`).toBeGreaterThan(100_000)
    expect.soft(bytes, `bytes of scripts of ${path}`).toBeLessThanOrEqual(MAX_SCRIPT_BYTES)
  }
})

const APP_TEST = 'a page of the app loads at most 160 kB of compressed scripts, and nothing from elsewhere'

test(APP_TEST, sampled([...sampledOwnerPages, ...sampledAdminPages]), async ({ product, visit, person, pageGuard }) => {
  pageGuard.allow(/^400 GET \/api\/admin\/people\/one/) // the page of a thing, visited without one
  const owner = await createPopulatedUser(() => person())
  const admin = await createPopulatedAdmin(product, () => person())
  for (const [paths, as] of [[sampledOwnerPages, owner] as const, [sampledAdminPages, admin] as const]) {
    for (const path of paths) {
      await checkScripts(await openFresh(visit, path, as), path)
    }
  }
})
