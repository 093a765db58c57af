import { LOCALES, PRODUCT } from '#contract/product.ts'
import { canonicalPath, getLocale, href, LANGUAGE_TAGS } from '~/lib/i18n/i18n'
import { m } from '~/paraglide/messages'
import { absoluteUrl } from './site.ts'

const withProductName = (title: string) => (title.startsWith(PRODUCT) ? title : `${title} · ${PRODUCT}`)

/** Returns the `meta` of a private page, which no search engine may list. */
export const privatePageMeta = (title: string) => [
  { title: withProductName(title) },
  { name: 'description', content: m.private_description() }, // for people who receive a link to such a page
  { name: 'robots', content: 'noindex' },
]

type PublicPageMeta = {
  title: string
  /** Shown below the title by search engines and shared links. */
  description: string
  /** False for a page nobody searches for, such as the target of a link in an email. */
  indexed?: boolean
}

/** Returns the `meta` of a public page: its canonical URL, its alternates by language, and its preview when it is shared. */
export function publicPageMeta(
  { pathname }: { pathname: string },
  { title, description, indexed = true }: PublicPageMeta,
) {
  const path = canonicalPath(pathname)
  const address = (locale = getLocale()) => absoluteUrl(href(path, locale))
  return [
    { title: withProductName(title) },
    { name: 'description', content: description },
    ...(indexed ? [] : [{ name: 'robots', content: 'noindex' }]),
    { tagName: 'link', rel: 'canonical', href: address() },
    ...LOCALES.map((locale) => ({
      tagName: 'link',
      rel: 'alternate',
      hrefLang: LANGUAGE_TAGS[locale],
      href: address(locale),
    })),
    { tagName: 'link', rel: 'alternate', hrefLang: 'x-default', href: address('en') },
    { property: 'og:type', content: 'website' },
    { property: 'og:site_name', content: PRODUCT },
    { property: 'og:title', content: title },
    { property: 'og:description', content: description },
    { property: 'og:url', content: address() },
    ...LOCALES.map((locale) => ({
      property: locale === getLocale() ? 'og:locale' : 'og:locale:alternate',
      content: LANGUAGE_TAGS[locale].replace('-', '_'),
    })),
    { property: 'og:image', content: absoluteUrl(`/share-${getLocale().slice(0, 2)}.png`) },
    { property: 'og:image:width', content: '1200' },
    { property: 'og:image:height', content: '630' },
    { property: 'og:image:alt', content: m.share_image() },
    { name: 'twitter:card', content: 'summary_large_image' },
  ]
}
