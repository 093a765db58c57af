import { Outlet } from 'react-router'
import { getLocale } from '~/lib/i18n/i18n'

/**
 * Renders nothing for the `fr?` segment; the language is read from the path (lib/i18n/i18n.tsx), and everything is rendered anew
 * where it changes without a load (lib/page/load-page.ts).
 */
export default function LocaleSegment() {
  return <Outlet key={getLocale()} />
}
