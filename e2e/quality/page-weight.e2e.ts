import type { Page } from '@playwright/test'
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

/** Both languages of each page in a whole run, otherwise one, which alternates from day to day. */
const inSampledLanguages = (paths: string[]) => paths.flatMap((path) => sample.pick(path, [path, inFrench(path)]))
const sampledTextPages = inSampledLanguages(TEXT_PAGES)
const sampledFormPages = inSampledLanguages(formPages)
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

type Visit = (who?: { as: Person }) => Promise<Page>

/** Opens a page in a browser with an empty cache, and returns all it loads until it is rendered and idle. */
async function openFresh(visit: Visit, path: string, as?: Person): Promise<{ page: Page; loads: NetworkLoad[] }> {
  const page = await visit(as && { as })
  const loads = await recordLoads(page)
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  if (as) await expect(page.getByRole('main').locator('article, li, form, td, select').first()).toBeVisible()
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

const TEXT_TEST = 'a text page has no script files, and weighs at most 90 KiB with its font and icons'

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

test('a page of the app loads at most 160 kB of compressed scripts, and nothing from elsewhere', async ({
  product,
  visit,
  person,
}) => {
  const owner = await createPopulatedUser(() => person())
  const admin = await createPopulatedAdmin(product, () => person())
  for (const [paths, as] of [[ownerPages, owner] as const, [adminPages, admin] as const]) {
    for (const path of paths) {
      await checkScripts(await openFresh(visit, path, as), path)
    }
  }
})
