import type { Page } from '@playwright/test'
import { localizedPath } from '#contract/paths.ts'
import { LOCALES, type Locale } from '#contract/product.ts'
import { expect, test } from '../support/fixtures.ts'
import { type PageMetadata, parseMetadata, readMetadata } from '../support/page-metadata.ts'
import { rememberLanguage } from '../support/page-objects.ts'
import type { Person } from '../support/people.ts'
import { createPopulatedAdmin, createPopulatedUser } from '../support/populated-user.ts'
import type { Product } from '../support/product.ts'

test.describe.configure({ mode: 'parallel' })

/** More than there are: a crawl that gets this far goes in circles. */
const MAX_PAGES = 300
const NOT_FOUND = /^(Oops! Page not found|Oups! Page introuvable)/

/** Reads a page of the site; null for anything else, such as a picture. Throws when there is none. */
type ReadPage = (url: URL) => Promise<PageMetadata | null>

/** Follows every internal link from every page, and returns one line for each link with a problem. */
async function crawl(starts: string[], origin: string, read: ReadPage) {
  const pages = new Map<string, PageMetadata | null>()
  const problems: string[] = []
  const anchors: { from: string; href: string; page: string; id: string }[] = []
  const queue = starts.map((path) => ({ url: new URL(path, origin), from: 'start' }))
  for (let next = queue.shift(); next; next = queue.shift()) {
    const { url, from } = next
    const key = url.pathname + url.search
    if (pages.has(key)) continue
    expect(pages.size, [...pages.keys()].join('\n')).toBeLessThan(MAX_PAGES)
    const metadata = await read(url).catch((error: Error) => {
      problems.push(`${from} → ${key}: ${error.message}`)
      return null
    })
    pages.set(key, metadata)
    for (const { href, rel } of metadata?.links ?? []) {
      const target = new URL(href, url)
      if (target.origin !== origin) {
        const problem = externalLinkProblem(target, rel)
        if (problem) problems.push(`${key} → ${href}: ${problem}`)
        continue
      }
      queue.push({ url: target, from: key })
      if (target.hash !== '') {
        const id = decodeURIComponent(target.hash.slice(1))
        anchors.push({ from: key, href, page: target.pathname + target.search, id })
      }
    }
  }
  for (const { from, href, page, id } of anchors) {
    if (pages.get(page)?.ids.includes(id) === false) problems.push(`${from} → ${href}: nothing there has this id`)
  }
  return { pages, problems }
}

/** Returns what is wrong with a link that leaves the site. */
function externalLinkProblem({ protocol, pathname, searchParams }: URL, rel: string): string | undefined {
  if (protocol === 'https:') return rel.split(/\s+/).includes('noopener') ? undefined : 'no rel="noopener"'
  if (protocol !== 'mailto:') return `a ${protocol} address`
  const unknown = [...searchParams.keys()].filter((name) => name !== 'subject' && name !== 'body')
  if (unknown.length > 0) return `mail fields ${unknown.join(', ')}`
  // without a recipient: the visitor chooses one
  const address = decodeURIComponent(pathname)
  const valid = address === '' ? searchParams.has('body') : /^[^\s@%]+@[^\s@%]+\.[a-z]{2,}$/.test(address)
  return valid ? undefined : 'no e-mail address'
}

/** Reads pages as the server sends them, without a browser's session or scripts. */
async function fetchPage(blank: Page, url: URL): Promise<PageMetadata | null> {
  const response = await fetch(url, { redirect: 'manual' })
  if (response.status !== 200) throw new Error(`responded with ${response.status}`)
  if (!response.headers.get('content-type')?.startsWith('text/html')) {
    await response.body?.cancel()
    return null
  }
  const metadata = await parseMetadata(blank, await response.text())
  if (metadata.headings.some((heading) => NOT_FOUND.test(heading))) throw new Error('is the 404 page')
  return metadata
}

const localeOf = (path: string): Locale => (/^\/fr(?:\/|$)/.test(path) ? 'fr-CA' : 'en')

/** Reads pages in a browser that runs their scripts, as the user who is signed in there. */
function readWithBrowser(page: Page, blank: Page): ReadPage {
  return async (url) => {
    const prerendered = await fetchPage(blank, url)
    if (!prerendered || prerendered.headings.length > 0) return prerendered
    if (page.url() === 'about:blank') await page.goto(url.origin)
    await rememberLanguage(page, localeOf(url.pathname))
    await page.goto(url.href)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.locator('main :is(.skeleton, [aria-busy=true])')).toHaveCount(0)
    const { pathname, search } = new URL(page.url())
    if (pathname + search !== url.pathname + url.search) throw new Error(`led to ${pathname}${search}`)
    const metadata = await readMetadata(page)
    if (metadata.headings.some((heading) => NOT_FOUND.test(heading))) throw new Error('is the 404 page')
    return metadata
  }
}

test('every link a visitor can follow leads to an existing page and fragment', async ({ visit, product }) => {
  const blank = await visit()
  const { pages, problems } = await crawl(['/', '/fr'], product.url, (url) => fetchPage(blank, url))
  expect(problems).toEqual([])
  for (const path of ['/about-us', '/contact-us', '/terms-and-conditions', '/privacy', '/login', '/signup']) {
    expect([...pages.keys()]).toEqual(expect.arrayContaining([path, `/fr${path}`]))
  }
})

const SIGNED_IN = {
  owner: {
    starts: ['/', '/fr'],
    paths: ['/dashboard/notifications', '/dashboard/vehicle/new', '/dashboard/profile/security', '/send', '/n'],
    create: (_product: Product, person: () => Promise<Person>) => createPopulatedUser(person),
  },
  admin: {
    starts: ['/admin', '/fr/admin'],
    paths: [
      '/admin/users',
      '/admin/vehicles',
      '/admin/inbox',
      '/admin/system',
      '/admin/system/audit-log',
      '/admin/profile/security',
    ],
    create: createPopulatedAdmin,
  },
}

for (const who of ['owner', 'admin'] as const) {
  test(`every link on an ${who}’s pages leads to an existing page and fragment @full`, async ({
    person,
    visit,
    product,
  }) => {
    const { starts, paths, create } = SIGNED_IN[who]
    const as = await create(product, () => person())
    const [page, blank] = [await visit({ as }), await visit()]
    const { pages, problems } = await crawl(starts, product.url, readWithBrowser(page, blank))
    expect(problems).toEqual([])
    for (const path of paths.flatMap((one) => LOCALES.map((locale) => localizedPath(one, locale))))
      expect(pages.get(path)?.headings, path).toHaveLength(1)
    if (who === 'admin') return
    expect([...pages.keys()].some((path) => path.includes('/dashboard/windshield-tag?id='))).toBe(true)
    expect([...pages.keys()].filter((path) => /^(\/fr)?\/admin(\/(?!login)|$)/.test(path))).toEqual([])
  })
}
