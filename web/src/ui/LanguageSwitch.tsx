import { useLocation } from 'react-router'
import { getLocale, href, withoutLocale } from '~/lib/i18n'
import { buttonClass } from './button-class.ts'

/** The other language, in its own words. A full load: every text of the page changes. */
export function LanguageSwitch() {
  const { pathname, search, hash } = useLocation()
  const other = getLocale() === 'en' ? 'fr-CA' : 'en'
  return (
    <a
      href={href(withoutLocale(pathname), other) + search + hash}
      hrefLang={other === 'en' ? 'en-CA' : 'fr-CA'}
      lang={other}
      className={buttonClass('ghost', 'md', 'px-3!')}
    >
      {other === 'en' ? 'English' : 'Français'}
    </a>
  )
}
