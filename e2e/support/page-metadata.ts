import type { Page } from '@playwright/test'

/** The metadata and the links of a page. */
export type PageMetadata = {
  lang: string
  title: string
  headings: string[]
  /** By name or property; the last one if there are several. */
  meta: Record<string, string>
  canonical: string | null
  /** The addresses of the page in other languages, by hreflang. */
  alternates: Record<string, string>
  ids: string[]
  links: { href: string; rel: string }[]
}

/** Parses HTML with the browser's own parser, without running or fetching anything. */
export const parseMetadata = (page: Page, html: string) => page.evaluate(collectMetadata, html)

/** Reads the page as it is in the browser now. */
export const readMetadata = (page: Page) => page.evaluate(collectMetadata, null)

/** Runs in the page. */
function collectMetadata(html: string | null): PageMetadata {
  const root = html === null ? document : new DOMParser().parseFromString(html, 'text/html')
  const all = (selector: string) => [...root.querySelectorAll(selector)]
  const attribute = (element: Element, name: string) => element.getAttribute(name) ?? ''
  return {
    lang: root.documentElement.lang,
    title: root.title,
    headings: all('h1').map((heading) => heading.textContent.trim()),
    meta: Object.fromEntries(
      all('meta[content]').map((one) => [
        one.getAttribute('name') ?? one.getAttribute('property') ?? '',
        attribute(one, 'content'),
      ]),
    ),
    canonical: root.querySelector('link[rel=canonical]')?.getAttribute('href') ?? null,
    alternates: Object.fromEntries(
      all('link[rel=alternate][hreflang]').map((one) => [attribute(one, 'hreflang'), attribute(one, 'href')]),
    ),
    ids: all('[id]').map(({ id }) => id),
    links: all('a[href]').map((link) => ({ href: attribute(link, 'href'), rel: attribute(link, 'rel') })),
  }
}
