import sharp from 'sharp'
import { inFrench, listedPages } from '../../web/pages.mjs'
import reactRouter from '../../web/react-router.config.ts'
import { expect, test } from '../support/fixtures.ts'
import { type PageMetadata, parseMetadata } from '../support/page-metadata.ts'

/** Pages that the server sends instead of others, without an address of their own. */
const NOT_BY_ADDRESS = /^(\/fr)?\/(404|contact-us\/again|t\/one)$/
/** Every path for which the build writes a page. */
const PRERENDERED = reactRouter.prerender.paths.filter((path) => !NOT_BY_ADDRESS.test(path))
const SHARE_IMAGE_BYTES = 80 * 1024
const DESCRIPTION_MIN = 50
const DESCRIPTION_MAX = 170
/** A name between percent signs is a placeholder for a setting of the server. */
const PLACEHOLDER = /%[A-Z]+_[A-Z_]+%/
const LANGUAGE_TAGS = { en: 'en-CA', fr: 'fr-CA' }

type ServedPage = PageMetadata & { path: string; html: string }

const isFrench = (path: string) => /^\/fr(\/|$)/.test(path)
/** Returns the path of the same page in the other language. */
const translatedPath = (path: string) =>
  isFrench(path) ? path.slice('/fr'.length) || '/' : `/fr${path === '/' ? '' : path}`
const isIndexable = ({ meta }: PageMetadata) => !meta['robots']?.includes('noindex')

/** Every page as it is sent: `built`, and of these the `pages` with their text in the HTML; the others are rendered by scripts. */
const servedPages = test.extend<{ built: ServedPage[]; pages: ServedPage[] }>({
  built: async ({ visit, product }, use) => {
    const blank = await visit()
    const pages: ServedPage[] = []
    for (const path of PRERENDERED) {
      const response = await fetch(product.url + path, { redirect: 'manual' })
      expect(response.status, path).toBe(200)
      const html = await response.text()
      pages.push({ ...(await parseMetadata(blank, html)), path, html })
    }
    await use(pages)
  },
  pages: ({ built }, use) => use(built.filter(({ headings }) => headings.length > 0)),
})

servedPages(
  'every page has its heading, language and title, and those that search engines may list say what they are',
  async ({ pages, product }) => {
    expect(pages.length).toBeGreaterThan(20)
    for (const { path, lang, headings, title, html, ids } of pages) {
      expect(lang, path).toBe(isFrench(path) ? LANGUAGE_TAGS.fr : LANGUAGE_TAGS.en)
      expect(headings, path).toEqual([expect.stringMatching(/\S/)])
      expect(title, path).toMatch(/PlateNote/)
      expect(PLACEHOLDER.exec(html)?.[0], path).toBeUndefined()
      expect(new Set(ids).size, `${path}: every id once`).toBe(ids.length)
    }
    expect(duplicates(pages, ({ title }) => title)).toEqual([])

    const listed = pages.filter(isIndexable)
    const address = (path: string) => product.url + path
    for (const { path, meta, canonical, alternates, title } of listed) {
      const { description = '' } = meta
      expect(description.length, `${path}: ${description}`).toBeGreaterThanOrEqual(DESCRIPTION_MIN)
      expect(description.length, `${path}: ${description}`).toBeLessThanOrEqual(DESCRIPTION_MAX)
      expect(canonical, path).toBe(address(path))
      // the translation is in the list too, with the very same addresses
      const [english, french] = isFrench(path) ? [translatedPath(path), path] : [path, translatedPath(path)]
      expect(alternates, path).toEqual({
        [LANGUAGE_TAGS.en]: address(english),
        [LANGUAGE_TAGS.fr]: address(french),
        'x-default': address(english),
      })
      expect(listed.map((page) => page.path)).toContain(translatedPath(path))
      expect(meta['og:url'], path).toBe(address(path))
      expect(title, path).toContain(meta['og:title'])
      expect(meta['og:description'], path).toBe(description)
      expect(meta['og:locale'], path).toBe(isFrench(path) ? 'fr_CA' : 'en_CA')
    }
    expect(duplicates(listed, ({ meta }) => String(meta['description']))).toEqual([])

    const pictures = new Map<string, string>()
    for (const { path, meta } of listed) {
      expect(meta['og:image:alt'], path).toMatch(/\S/)
      expect(meta['twitter:card'], path).toBe('summary_large_image')
      pictures.set(isFrench(path) ? 'fr' : 'en', String(meta['og:image']))
    }
    expect(pictures.size).toBe(2)
    expect(pictures.get('en')).not.toBe(pictures.get('fr'))
    for (const address of pictures.values()) {
      expect(address).toMatch(new RegExp(`^${product.url}/`))
      const response = await fetch(address)
      expect(response.status, address).toBe(200)
      expect(response.headers.get('content-type')).toBe('image/png')
      const picture = await response.arrayBuffer()
      expect(picture.byteLength).toBeLessThanOrEqual(SHARE_IMAGE_BYTES)
      const { format, width, height } = await sharp(picture).metadata()
      expect({ format, width, height }).toEqual({ format: 'png', width: 1200, height: 630 })
    }
  },
)

servedPages(
  'the sitemap and robots.txt name the listed pages and no others',
  async ({ built, pages, product, visit }) => {
    const response = await fetch(`${product.url}/sitemap.xml`)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toMatch(/^application\/xml/)
    const blank = await visit()
    const entries = await blank.evaluate(
      (xml) => {
        const root = new DOMParser().parseFromString(xml, 'application/xml')
        if (root.querySelector('parsererror')) throw new Error('not well-formed')
        return [...root.getElementsByTagName('url')].map((url) => ({
          address: url.getElementsByTagName('loc')[0]?.textContent,
          alternates: Object.fromEntries(
            [...url.getElementsByTagName('xhtml:link')].map((one) => [
              one.getAttribute('hreflang') ?? '',
              one.getAttribute('href') ?? '',
            ]),
          ),
        }))
      },
      await response.text(),
    )
    const listed = built.filter(isIndexable).map(({ canonical, alternates }) => ({ address: canonical, alternates }))
    const inOrder = (list: { address?: string | null | undefined }[]) =>
      list.toSorted((a, b) => (String(a.address) < String(b.address) ? -1 : 1))
    expect(inOrder(entries)).toEqual(inOrder(listed))
    const expected = [...listedPages, ...listedPages.map(inFrench)].map((path) => product.url + path)
    expect(entries.map(({ address }) => address).toSorted()).toEqual(expected.toSorted())

    const robots = await fetch(`${product.url}/robots.txt`)
    expect(robots.status).toBe(200)
    const lines = (await robots.text()).split('\n').map((line) => /^([a-z-]+):\s*(.*)$/i.exec(line.trim())?.slice(1))
    const values = (name: string) => lines.flatMap((line) => (line?.[0]?.toLowerCase() === name ? [line[1] ?? ''] : []))
    expect(values('sitemap')).toEqual([`${product.url}/sitemap.xml`])
    expect(values('user-agent')).toEqual(['*'])
    const forbidden = values('disallow')
    expect(forbidden).toContain('/dashboard')
    expect(forbidden.filter((rule) => /[*$]/.test(rule))).toEqual([]) // only prefixes of paths, which is all that is compared here
    const indexable = pages.filter(isIndexable).map(({ path }) => path)
    expect(indexable.filter((path) => forbidden.some((rule) => rule !== '' && path.startsWith(rule)))).toEqual([])
  },
)

/** Returns the texts that several pages of one language share. */
function duplicates(pages: ServedPage[], what: (page: ServedPage) => string): string[] {
  const key = (page: ServedPage) => `${isFrench(page.path) ? 'fr' : 'en'}: ${what(page)}`
  return [...Map.groupBy(pages, key)].flatMap(([text, same]) =>
    same.length > 1 ? [`${text} (${same.map(({ path }) => path).join(', ')})`] : [],
  )
}
