import { getLocale } from '~/lib/i18n/i18n'
import { publicPageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import type { Route } from './+types/privacy.route'
import { privacy as en } from './content/en/privacy.ts'
import { privacy as fr } from './content/fr-CA/privacy.ts'
import { PRIVACY_SECTIONS } from './content/shape.ts'
import { LegalPage } from './LegalPage.tsx'

const text = () => ({ en, 'fr-CA': fr })[getLocale()]

export const handle: RouteHandle = { static: true }

export const meta: Route.MetaFunction = ({ location }) => publicPageMeta(location, text())

export default function Privacy() {
  return <LegalPage sections={PRIVACY_SECTIONS} text={text()} />
}
