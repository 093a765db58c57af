import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { LOCALES } from '#contract/product.ts'
import { inFrench, listedPages } from '../../web/pages.mjs'
import { expect, test } from '../support/fixtures.ts'

// The pages as the server sends them, in both languages: what search engines read, and where links lead.

const DESCRIPTION_LENGTH = { min: 50, max: 170 }
/** A name between percent signs is a placeholder for a setting of the server. */
const PLACEHOLDER = /%[A-Z]+_[A-Z_]+%/

/** Where the texts of the pages of text are, below a folder of each language, and which of them, without those of the head and of pictures. */
const TEXTS = {
  '/': ['{locale}/public.json', /^(?:hero|facts?|features?|steps?|sees|faq|closing)_(?!picture)/],
  '/about-us': ['{locale}/about.json', /^about_(?!description)/],
  '/terms-and-conditions': ['legal/{locale}/terms.json', /^(?!description)/],
  '/privacy': ['legal/{locale}/privacy.json', /^(?!description)/],
} as const

/** Returns the pieces of a text, or of texts within one another, between what is filled in, without the marks of bold type and links. */
const piecesOf = (text: unknown): string[] =>
  typeof text === 'string'
    ? text.replaceAll('**', '').split(/\{\w+\|?|\}/)
    : Object.entries(text as object).flatMap(([key, inner]) => (key === 'id' ? [] : piecesOf(inner)))

const withPlainSpaces = (text: string) => text.replaceAll(/\s+/g, ' ')

/** Runs in the page: reads HTML with the browser's own parser, without running or fetching anything. */
function readHtml(html: string) {
  const root = new DOMParser().parseFromString(html, 'text/html')
  const all = (selector: string) => [...root.querySelectorAll(selector)]
  return {
    lang: root.documentElement.lang,
    title: root.title,
    text: root.body.textContent,
    headings: all('h1').map((heading) => heading.textContent.trim()),
    /** By name or property; the last one if there are several. */
    meta: Object.fromEntries(
      all('meta[content]').map((one) => [
        one.getAttribute('name') ?? one.getAttribute('property'),
        one.getAttribute('content'),
      ]),
    ) as Record<string, string>,
    canonical: root.querySelector('link[rel=canonical]')?.getAttribute('href'),
    /** The addresses of the page in other languages, by hreflang. */
    alternates: Object.fromEntries(
      all('link[rel=alternate][hreflang]').map((one) => [one.getAttribute('hreflang'), one.getAttribute('href')]),
    ) as Record<string, string>,
    sections: all('article h2').map(({ id }) => id),
    ids: all('[id]').map(({ id }) => id),
    links: all('a[href]').map((link) => ({ href: link.getAttribute('href')!, rel: link.getAttribute('rel') ?? '' })),
  }
}

/** Reads a page; null for anything else, such as a picture. */
async function readPage(blank: Page, url: URL) {
  const response = await fetch(url, { redirect: 'manual' })
  expect(response.status, url.href).toBe(200)
  const isPage = response.headers.get('content-type')?.startsWith('text/html')
  const text = await response.text()
  return isPage ? { ...(await blank.evaluate(readHtml, text)), html: text } : null
}

test('every page has its heading, language and title, and every link leads somewhere', async ({ visit, product }) => {
  const blank = await visit()
  const pages = new Map<string, Awaited<ReturnType<typeof readPage>>>()
  const problems: string[] = []
  const anchors: { from: string; target: URL }[] = []
  const queue = ['/', '/fr'].map((path) => new URL(path, product.url))
  const keyOf = ({ pathname, search }: URL) => pathname + search
  for (let url = queue.shift(); url; url = queue.shift()) {
    const key = keyOf(url)
    if (pages.has(key)) continue
    expect(pages.size, 'goes in circles').toBeLessThan(300)
    const page = await readPage(blank, url)
    pages.set(key, page)
    for (const { href, rel } of page?.links ?? []) {
      const target = new URL(href, url)
      if (target.origin === product.url) queue.push(target)
      else if (target.protocol === 'https:' ? !/\bnoopener\b/.test(rel) : !/^(mailto|tel):$/.test(target.protocol))
        problems.push(`${key} → ${href}: without noopener, or no link of the web`)
      if (target.origin === product.url && target.hash !== '') anchors.push({ from: key, target })
    }
  }
  for (const { from, target } of anchors) {
    const page = pages.get(keyOf(target))
    if (page && page.headings.length > 0 && !page.ids.includes(decodeURIComponent(target.hash.slice(1))))
      problems.push(`${from} → ${target.href}: nothing there has this id`)
  }
  expect(problems).toEqual([])
  expect([...pages.keys()]).toEqual(expect.arrayContaining(listedPages.flatMap((path) => [path, inFrench(path)])))
  for (const [path, page] of pages) {
    if (!page || page.headings.length === 0) continue // what scripts render has its heading later
    expect(page.lang, path).toBe(/^\/fr(\/|$)/.test(path) ? 'fr-CA' : 'en-CA')
    expect(page.headings, path).toEqual([expect.stringMatching(/\S/)])
    expect(page.title, path).toMatch(/PlateNote/)
    expect(PLACEHOLDER.exec(page.html)?.[0], path).toBeUndefined()
    expect(new Set(page.ids).size, `${path}: every id once`).toBe(page.ids.length)
  }
})

test('every text of the pages of text is there, in the same sections in both languages', async ({ visit, product }) => {
  const blank = await visit()
  for (const [path, [file, wanted]] of Object.entries(TEXTS)) {
    const sections: string[][] = []
    for (const locale of LOCALES) {
      const address = locale === 'en' ? path : inFrench(path)
      const page = (await readPage(blank, new URL(address, product.url)))!
      const shown = withPlainSpaces(page.text)
      const catalogue = readFileSync(
        join(import.meta.dirname, '../../locales', file.replace('{locale}', locale)),
        'utf8',
      )
      const texts = Object.entries(JSON.parse(catalogue) as object).filter(([key]) => wanted.test(key))
      expect(texts.length, address).toBeGreaterThan(3)
      const pieces = texts.flatMap(([, text]) => piecesOf(text).map(withPlainSpaces))
      expect(
        pieces.filter((piece) => !shown.includes(piece)),
        address,
      ).toEqual([])
      sections.push(page.sections)
    }
    expect(sections[0], path).toEqual(sections[1])
  }
})

test('pages for search engines say what they are, and the sitemap names them alone', async ({ visit, product }) => {
  const blank = await visit()
  const address = (path: string) => product.url + path
  const texts = new Map<string, string>()
  const sitemap = await (await fetch(address('/sitemap.xml'))).text()
  for (const english of listedPages) {
    const [en, fr] = [address(english), address(inFrench(english))]
    for (const url of [en, fr]) {
      const { meta, canonical, alternates, title } = (await readPage(blank, new URL(url)))!
      const { description = '' } = meta
      expect(meta['robots'] ?? '', url).not.toContain('noindex')
      expect(description.length, `${url}: ${description}`).toBeGreaterThanOrEqual(DESCRIPTION_LENGTH.min)
      expect(description.length, `${url}: ${description}`).toBeLessThanOrEqual(DESCRIPTION_LENGTH.max)
      for (const text of [title, description]) {
        expect(texts.get(`${url === fr} ${text}`), `${url}: said of another page too`).toBeUndefined()
        texts.set(`${url === fr} ${text}`, url)
      }
      expect(canonical, url).toBe(url)
      expect(alternates, url).toEqual({ 'en-CA': en, 'fr-CA': fr, 'x-default': en })
      expect([meta['og:url'], meta['og:locale'], meta['twitter:card']], url).toEqual([
        url,
        url === fr ? 'fr_CA' : 'en_CA',
        'summary_large_image',
      ])
      const picture = await fetch(meta['og:image']!)
      expect([picture.status, picture.headers.get('content-type')], url).toEqual([200, 'image/png'])
      expect(meta['og:image:alt'], url).toMatch(/\S/)
    }
  }
  const entries = await blank.evaluate((xml) => {
    const root = new DOMParser().parseFromString(xml, 'application/xml')
    return [...root.getElementsByTagName('loc')].map(({ textContent }) => textContent)
  }, sitemap)
  expect(entries.toSorted()).toEqual(listedPages.flatMap((path) => [path, inFrench(path)].map(address)).toSorted())
  const robots = await (await fetch(address('/robots.txt'))).text()
  expect(robots).toContain(`Sitemap: ${address('/sitemap.xml')}`)
  expect(robots).toMatch(/^Disallow: \/dashboard$/m)
  for (const path of listedPages) expect(robots).not.toMatch(new RegExp(`^Disallow: ${path}$`, 'm'))
})
