import { getLocale } from '~/lib/i18n/i18n'
import { publicPageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import type { Route } from './+types/accessibility.route'
import { AccessibilityPage } from './AccessibilityPage.tsx'
import { accessibility as en } from './content/en/accessibility.ts'
import { accessibility as fr } from './content/fr-CA/accessibility.ts'

const text = () => ({ en, 'fr-CA': fr })[getLocale()]

export const handle: RouteHandle = { static: true }

export const meta: Route.MetaFunction = ({ location }) => publicPageMeta(location, text())

export default function Accessibility() {
  return <AccessibilityPage text={text()} />
}
