import { useLocation, useMatches } from 'react-router'
import { canonicalPath, getLocale, href, LANGUAGE_TAGS, type Locale } from '~/lib/i18n/i18n'
import { useHydrated } from '~/lib/page/browser-state'
import { LANGUAGE_OFFER, LANGUAGE_SWITCH } from '~/lib/page/inline-head-attributes'
import type { RouteHandle } from '~/lib/page/route-handle'
import { m } from '~/paraglide/messages'
import { buttonClass } from './button-class.ts'

/**
 * Links to the page in the other language, named in that language. A full load, since every text of the page changes. For
 * somebody who is signed in the inline head script changes the account too (inline-head/language.ts).
 */
export function LanguageSwitch() {
  const { locale, ...link } = useOtherLanguage()
  return (
    <a {...link} className={buttonClass('ghost', 'md', 'px-3!')}>
      {m.language_name({}, { locale })}
    </a>
  )
}

/**
 * Offers a visitor the page in the language their browser prefers, in that language, once and in one line; never a redirect (decision two-languages).
 * Hidden until the inline head script finds that there is something to offer, before the first paint.
 */
export function LanguageOffer() {
  const { locale, ...link } = useOtherLanguage()
  return (
    <aside
      lang={locale}
      aria-label={m.language_label({}, { locale })}
      {...{ [LANGUAGE_OFFER]: '' }}
      className="hidden border-b border-line bg-sunken px-4 text-center text-sm offer-language:block print:hidden!"
    >
      <a {...link} className="link inline-flex min-h-11 items-center">
        {m.language_offer({}, { locale })}
      </a>
    </aside>
  )
}

/** Returns the other language, and the attributes of a link to this page in it. */
function useOtherLanguage() {
  const { pathname, search, hash } = useLocation()
  const handle = useMatches().at(-1)?.handle as RouteHandle | undefined
  const path = handle?.canonicalPath ?? canonicalPath(pathname)
  // the prerendered page knows the path alone, without the query and fragment of this browser's URL
  const rest = useHydrated() ? search + hash : ''
  const locale: Locale = getLocale() === 'en' ? 'fr-CA' : 'en'
  return {
    locale,
    href: href(path, locale) + rest,
    hrefLang: LANGUAGE_TAGS[locale],
    lang: locale,
    [LANGUAGE_SWITCH]: handle?.anyAddress ? 'address' : '',
  }
}
