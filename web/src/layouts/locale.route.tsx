import { Outlet } from 'react-router'

/** The `fr?` segment: nothing of its own; the language is read from the address (lib/i18n/i18n.tsx). */
export default function LocaleSegment() {
  return <Outlet />
}
