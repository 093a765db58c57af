import { useSyncExternalStore } from 'react'
import { useLocation } from 'react-router'
import { getLocale, href, withoutLocale } from '~/lib/i18n'
import { buttonClass } from './button-class.ts'

const never = () => () => {}

/** The other language, in its own words. A full load: every text of the page changes. */
export function LanguageSwitch() {
  const { pathname, search, hash } = useLocation()
  // the page as it was written knows the path alone, without what follows it in this browser's address
  const rest = useSyncExternalStore(
    never,
    () => search + hash,
    () => '',
  )
  const other = getLocale() === 'en' ? 'fr-CA' : 'en'
  return (
    <a
      href={href(withoutLocale(pathname.replace(/\/+$/, '')), other) + rest}
      hrefLang={other === 'en' ? 'en-CA' : 'fr-CA'}
      lang={other}
      className={buttonClass('ghost', 'md', 'px-3!')}
    >
      {other === 'en' ? 'English' : 'Français'}
    </a>
  )
}
