import { Outlet } from 'react-router'

/** Renders nothing for the `fr?` segment; the language is read from the path (lib/i18n/i18n.tsx). */
export default function LocaleSegment() {
  return <Outlet />
}
