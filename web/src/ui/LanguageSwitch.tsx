import { useLocation, useMatches } from 'react-router'
import { canonicalPath, getLocale, href, LANGUAGE_TAGS } from '~/lib/i18n/i18n'
import { useHydrated } from '~/lib/page/browser-state'
import { LANGUAGE_SWITCH } from '~/lib/page/inline-head-attributes'
import type { RouteHandle } from '~/lib/page/route-handle'
import { buttonClass } from './button-class.ts'

/** Links to the page in the other language, named in that language. A full load, since every text of the page changes. */
export function LanguageSwitch() {
  const { pathname, search, hash } = useLocation()
  const handle = useMatches().at(-1)?.handle as RouteHandle | undefined
  const path = handle?.canonicalPath ?? canonicalPath(pathname)
  // the prerendered page knows the path alone, without the query and fragment of this browser's URL
  const rest = useHydrated() ? search + hash : ''
  const other = getLocale() === 'en' ? 'fr-CA' : 'en'
  return (
    <a
      href={href(path, other) + rest}
      hrefLang={LANGUAGE_TAGS[other]}
      lang={other}
      {...{ [LANGUAGE_SWITCH]: '' }}
      className={buttonClass('ghost', 'md', 'px-3!')}
    >
      {other === 'en' ? 'English' : 'Français'}
    </a>
  )
}
