import type { Page, Request } from '@playwright/test'
import { runsAll } from '../../server/src/test/runs-all.ts'
import { bundleInlineHead } from '../../web/inline-head.ts'
import { adminPages, formPages, inFrench, ownerPages, plainFormPages, textPages } from '../../web/pages.mjs'
import { expect, test } from '../support/fixtures.ts'
import { AUTH_CLIENT, waitForIdle } from '../support/page-objects.ts'
import type { Person } from '../support/people.ts'
import { createPopulatedAdmin } from '../support/populated-user.ts'

// No page loads anything from elsewhere: its policy allows nothing else, and every test fails on what the policy refuses.

const KIB = 1024
/** The limit of a text page: HTML, font, icon and manifest, with their headers. */
const MAX_TEXT_PAGE_BYTES = 90 * KIB
/** The limit of the one script of a page with a plain form, compressed. */
const MAX_PLAIN_FORM_SCRIPT_BYTES = 8_000
/** The limit of a form page and of an app page: its scripts, compressed (decision page-weight). */
const MAX_SCRIPT_BYTES = 162_000

/** Without a thing to show these lead to another page, whose scripts would count too: their HTML alone is weighed. */
const PAGE_OF_A_THING = /message-copy|collision-card|windshield-tag|\/one\/welcome/
const inBothLanguages = (paths: string[]) => paths.flatMap((path) => [path, inFrench(path)])

/** `npm test` opens some; `npm run test:full` every page. */
const OPENED = runsAll
  ? {
      text: inBothLanguages([...textPages, '/contact-us/sent', '/no-such-page', '/offline']),
      plain: inBothLanguages(plainFormPages),
      scripted: [...formPages, ...ownerPages, ...adminPages].filter((path) => !PAGE_OF_A_THING.test(path)),
    }
  : {
      text: ['/', '/fr/privacy'],
      plain: ['/fr/contact-us'],
      scripted: ['/signup', '/dashboard', '/send', '/admin/vehicles'],
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

/** Returns the scripts of a page as it is sent: the text of the inline ones, and of the data for search engines. */
function scriptsIn(html: string) {
  const scripts = [...html.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/g)]
  const texts = (wanted: (attributes: string) => boolean) =>
    scripts.flatMap(([, attributes = '', text = '']) => (wanted(attributes) ? [text] : []))
  return {
    inline: texts((attributes) => !/\bsrc=|ld\+json/.test(attributes)),
    data: texts((attributes) => attributes.includes('ld+json')),
  }
}

/** Opens a page in a browser with an empty cache, and returns all it loads until it is rendered and idle, but for the live stream. */
async function openFresh(
  visit: (options?: { as: Person; language: 'en' }) => Promise<Page>,
  path: string,
  as?: Person,
) {
  const page = await visit(as && { as, language: 'en' })
  const loads: Request[] = []
  const ended = new Set<Request>()
  page.on('request', (request) => {
    const { protocol, pathname } = new URL(request.url())
    if (protocol.startsWith('http') && pathname !== '/api/live') loads.push(request)
  })
  for (const event of ['requestfinished', 'requestfailed'] as const)
    page.on(event as 'requestfailed', (one) => ended.add(one))
  const untilLoaded = () =>
    expect.poll(() => loads.filter((one) => !ended.has(one)).map((one) => one.url())).toEqual([])
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  // a list, an empty one, or the text for an unknown id
  const content = 'article, li, form, td, select, section button, .border-dashed, [role=alert]'
  if (as) await expect(page.getByRole('main').locator(content).filter({ visible: true })).not.toHaveCount(0)
  await waitForIdle(page)
  await untilLoaded()
  return { page, loads, untilLoaded, scripts: () => loads.filter((one) => one.resourceType() === 'script') }
}

/** Returns the compressed size of a script, as the server announces it. */
const announcedBytes = async (request: Request) => Number((await request.response())?.headers()['content-length'])
const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0)

test('the HTML of every page with scripts names at most 162 kB of them, compressed, and has no others inside', async ({
  product,
}) => {
  const known = new Map<string, number>()
  for (const path of inBothLanguages([...formPages, ...ownerPages, ...adminPages])) {
    const html = await (await fetch(product.url + path)).text()
    const { inline } = scriptsIn(html)
    const isKnown = (text: string) => text === INLINE_HEAD_SCRIPT || FRAMEWORK_SCRIPTS.some((begin) => begin.test(text))
    expect(inline.length, path).toBeGreaterThan(0)
    expect(
      inline.filter((text) => !isKnown(text)),
      `inline scripts of ${path}`,
    ).toEqual([])
    const scripts = [...new Set(html.match(/\/assets\/[\w.-]+\.js/g))]
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
  visit,
  pageGuard,
}) => {
  pageGuard.allow(/^404 GET \/(fr\/)?no-such-page/)
  for (const path of [...OPENED.text, ...OPENED.plain]) {
    const { page, loads, untilLoaded, scripts } = await openFresh(visit, path)
    // what a browser with a window also fetches: the icon and the manifest
    const links = await page
      .locator('link[rel=icon], link[rel=manifest]')
      .evaluateAll((all: HTMLLinkElement[]) => all.map(({ href }) => href))
    const missing = links.filter((link) => !loads.some((one) => one.url() === link))
    await page.evaluate((urls) => Promise.all(urls.map(async (url) => (await fetch(url)).arrayBuffer())), missing)
    await untilLoaded()
    const html = await (await page.request.get(page.url())).text()
    const named = html.match(/<script[^>]* src=|rel="?modulepreload/g) ?? []
    expect([named.length, scripts().length], `script files of ${path}`).toEqual(
      OPENED.text.includes(path) ? [0, 0] : [1, 1],
    )
    for (const script of scripts()) {
      expect(await announcedBytes(script)).toBeLessThanOrEqual(MAX_PLAIN_FORM_SCRIPT_BYTES)
      const source = await (await page.request.get(script.url())).text()
      expect(source.includes('(?<='), `a lookbehind, which older phones cannot read, on ${path}`).toBe(false)
    }
    const { inline, data } = scriptsIn(html)
    expect(inline, `inline scripts of ${path}`).toEqual([INLINE_HEAD_SCRIPT])
    for (const text of data) expect(JSON.parse(text), path).toHaveProperty('@context', 'https://schema.org')
    expect(loads.map((one) => one.resourceType())).toEqual(expect.arrayContaining(['document', 'font']))
    const sizes = await Promise.all(loads.map((one) => one.sizes()))
    const bytes = sum(sizes.map(({ responseBodySize, responseHeadersSize }) => responseBodySize + responseHeadersSize))
    expect(bytes, `bytes of ${path}`).toBeLessThanOrEqual(MAX_TEXT_PAGE_BYTES)
    await page.context().close()
  }
})

test('a page with scripts loads at most 162 kB of them, compressed, and no auth client until it is used', async ({
  product,
  visit,
  person,
  pageGuard,
}) => {
  pageGuard.allow(/^400 GET \/api\/admin\/people\/one/) // the page of a thing, visited without one
  const admin = await createPopulatedAdmin(product, person)
  for (const path of OPENED.scripted) {
    const { page, scripts } = await openFresh(visit, path, formPages.includes(path) ? undefined : admin)
    expect(scripts().length, `scripts of ${path}`).toBeGreaterThan(0)
    expect(
      scripts().filter((one) => AUTH_CLIENT.test(one.url())),
      path,
    ).toEqual([])
    const bytes = sum(await Promise.all(scripts().map(announcedBytes)))
    expect.soft(bytes, `bytes of scripts of ${path}`).toBeLessThanOrEqual(MAX_SCRIPT_BYTES)
    await page.context().close()
  }
})
